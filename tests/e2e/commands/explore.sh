#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim explore: a lost update. A thread that reads later reads what the other has written,
# so that no interleaving of a run without it is certain to have it: another run must be found.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > lost.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    SERIATIM_ATOMIC_BEGIN("increment");
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count = seen + 1;
    pthread_mutex_unlock(&lock);
    SERIATIM_ATOMIC_END();
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return 0;
}
END
"$SERIATIM" cc -O1 -pthread lost.c -o lost || fail "the program should build"
for seed in 1 2 3; do
    run explore --schedules 12 --seed $seed -o found -- ./lost
    expect_status 1
    expect_out '^[0-9]+ runs in all, with [0-9]+ orders of conflicting places$'
    expect_out '^1\. "increment" \(lost.c:8\) is not atomic'
    expect_out '^to replay: '
    grep -q '"schedule": "[a-z-]*, seed [0-9]*, one thread in the middle of another"' found/result.json ||
        fail "expected a run with the other thread between get and set"
done
replay=$(sed -n 's/^to replay: seriatim //p' out)
# shellcheck disable=SC2086 # the words of a command
run $replay
expect_status 1
expect_out '^1$'
expect_out '^shown: '

# The status of each run is in the JSON; on the terminal, quietly, there is no line for each.
run explore -q --schedules 3 --no-replay -o quiet --json runs.json -- ./lost
[ "$status" -le 1 ] || fail "expected a verdict"
! grep -q 'quiet/run-[0-9]*.srt: ' out || fail "expected no line for each run"
grep -q '"command": "explore"' runs.json || fail "expected the command's name"
[ "$(grep -c '{"seed": [1-3], "scheduler": "[a-z-]*", "exit": 0, "signal": null, "trace": ' runs.json)" = 3 ] ||
    fail "expected three runs"

run explore --seconds 0.2 -- ./lost
[ "$status" -le 1 ] || fail "expected a verdict"
finish
