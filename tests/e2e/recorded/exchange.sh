#!/bin/sh
# SPDX-License-Identifier: MIT
# A schedule in which a compare-exchange reads something else than recorded: it fails, or succeeds,
# instead. That is what the schedule is about, so the replay goes on, and its own trace decides.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > exchange.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int count;
__attribute__((noinline)) void fill(void)
{
    atomic_store(&count, 1);
    atomic_store(&count, 2);
}
static void *take(void *unused)
{
    int expected = EXPECTED;
    atomic_compare_exchange_strong(&count, &expected, 7);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    fill();
    pthread_join(thread, 0);
    return 0;
}
END_OF_PROGRAM
echo fill > atomic

# shows EXPECTED RECORDED REPLAYED: what the exchange does in the recorded run, and in the replay
shows() {
    run cc -O1 -g "-DEXPECTED=$1" -pthread exchange.c -o exchange
    expect_status 0
    run record -q -o run.srt -- ./exchange
    expect_status 0
    run convert --to text run.srt -o run.std
    grep -Eq "\|$2\(count\)\|exchange.c:12" run.std || fail "expected $2 in the recorded run"
    rm -rf schedules
    run predict -q --atomic ./atomic --schedules schedules run.srt
    expect_status 1
    run replay --strict --attempts 1 --atomic ./atomic run.srt --schedule schedules/*.schedule \
        -o replayed.srt -- ./exchange
    expect_status 1
    expect_out '^shown: block'
    ! grep -q 'ended by signal' out || fail "expected that the program goes on to its end"
    run convert --to text replayed.srt -o replayed.std
    grep -Eq "\|$3\(count\)\|exchange.c:12" replayed.std || fail "expected $3 in the replay"
}

shows 2 rmw r # recorded last: it finds 2, and 1 in the middle of the block
shows 1 r rmw
finish
