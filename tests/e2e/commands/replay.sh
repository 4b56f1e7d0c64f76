#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim replay: the real program is forced into a predicted violation, and what it does
# instead is reported.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > sum.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <unistd.h>
static int left = 50, right = 50;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(int *from)
{
    pthread_mutex_lock(&lock);
    int seen = *from;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void *sum(void *unused)
{
    SERIATIM_ATOMIC_BEGIN("sum");
    int all = get(&left);
    all += get(&right);
    SERIATIM_ATOMIC_END();
    printf("%d\n", all);
    return unused;
}
static void *move(void *unused)
{
    pthread_mutex_lock(&lock);
    left -= 10;
    right += 10;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    if (argc > 1 && argv[1][0] == 'o')
        get(&right);
    pthread_create(&threads[0], NULL, sum, NULL);
    pthread_create(&threads[1], NULL, move, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fflush(stdout);
    while (argc > 1 && argv[1][0] == 'f')
        pause();
    return 0;
}
END
"$SERIATIM" cc -O1 -pthread sum.c -o sum || fail "the program should build"
run run --effort quick --no-replay -o found -- ./sum x
expect_status 1
expect_out '^100$'
expect_out '^to replay: seriatim replay found/run-1.srt --schedule found/violation-1.schedule -- ./sum x$'
block=$(sed -n 's/^block //p' found/violation-1.schedule)

# Predicted anew, and from the file; again and again.
run replay found/run-1.srt --block "$block" -- ./sum x
expect_status 1
expect_out '^110$'
expect_out "^shown: block $block of T1 \(sum.c:16\) was violated in the real program$"
successes=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    run replay found/run-1.srt --schedule found/violation-1.schedule -- ./sum x
    successes=$((successes + status))
done
[ $successes = 20 ] || fail "expected 20 of 20 replays to show it, not $successes"

# The main job does the same, and says what changes.
run run --effort quick -o confirmed -- ./sum x
expect_status 1
expect_out 'Confirmed: .*it prints "110" instead of "100"'
# ... also where the folder has the output of another program.
echo 7 > confirmed/run-1.out
run run --effort quick -o confirmed -- ./sum x
expect_out 'Confirmed: .*it prints "110" instead of "100"'
grep -q '"status": "confirmed"' confirmed/result.json || fail "expected it to be confirmed"

# Every run reads standard input from the same place.
sed 's/^    if (argc > 1/    if (getchar() != 97)\n        get(\&right);\n&/' sum.c > reads.c
"$SERIATIM" cc -O1 -pthread reads.c -o reads
echo abc > input
run_with_input input run --effort quick -o reads.out -- ./reads
expect_status 1
expect_out 'Confirmed: '

# Another path: at once, and where.
run replay found/run-1.srt --schedule found/violation-1.schedule --strict --attempts 2 \
    --json result.json -- ./sum other
expect_status 4
expect_out '^diverged at event [0-9]+: expected w\(threads of main\(\) in T0\) at sum.c:[0-9]+ of T0, saw call at sum.c:7 \(2 attempts\)$'
grep -q '"divergedAt": [1-9]' result.json || fail "expected the place in JSON"
grep -q '"outcome": "untested"' result.json || fail "expected that this says nothing"

# ... where threads still give way at the places of the schedule, so that it is shown.
run replay found/run-1.srt --schedule found/violation-1.schedule --json result.json -- ./sum other
expect_status 1
expect_out '^110$'
grep -q '"outcome": "confirmed"' result.json || fail "expected it to be confirmed"
grep -q '"byPlace": true' result.json || fail "expected that it was by place"

# A schedule stays good when the code around it moves.
mkdir new
sed 's/^static int left/\n\n&/' sum.c > new/sum.c
(cd new && "$SERIATIM" cc -O1 -pthread sum.c -o ../moved)
run replay found/run-1.srt --schedule found/violation-1.schedule -- ./moved x
expect_status 1

# A schedule that is not possible: T2 goes on to the lock while T1 has it.
"$SERIATIM" convert --to text found/run-1.srt > text 2> err
first_of() { grep -n "^$1|" text | head -n "$2" | tail -n 1 | cut -d : -f 1; }
steps_until() { grep "^$1|" text | grep -n '|acq(' | head -n 1 | cut -d : -f 1; }
all_until_forks=$(grep '^T0|' text | grep -n 'fork(T2)' | cut -d : -f 1)
part() { # THREAD STEPS
    echo "$1 $2 $(first_of "$1" 1)..$(first_of "$1" "$2") skip -"
}
{
    sed '/^$/,$d' found/violation-1.schedule
    part T0 "$all_until_forks"
    part T1 "$(steps_until T1)"
    part T2 "$(steps_until T2)"
} > impossible.schedule
start=$(date +%s)
run replay found/run-1.srt --schedule impossible.schedule --attempts 1 -- ./sum x
expect_status 4
expect_out '^diverged at event [0-9]+: expected acq\(lock\) at sum.c:[0-9]+ of T2, saw that it waits'
[ $(($(date +%s) - start)) -le 30 ] || fail "expected it to be said at once, were the machine not busy"

# Step by step, with lines of source; answers come from standard input if it is no terminal.
printf '\n3\nc\n' > answers
run_with_input answers replay found/run-1.srt --schedule found/violation-1.schedule --step -- ./sum x
expect_status 1
expect_out "begin\(sum\) +sum.c:[0-9]+$"
expect_out '^ +int seen = \*from;$'
[ "$(grep -c '^step> ' out)" = 3 ] || fail "expected to be asked three times"
echo q > answers
run_with_input answers replay found/run-1.srt --schedule found/violation-1.schedule --step \
    --attempts 1 -- ./sum x
expect_status 4

# A program that goes on for ever does not hang the replay.
run replay found/run-1.srt --schedule found/violation-1.schedule --grace 0.2 -- ./sum for ever
expect_status 1
expect_out 'went on after the schedule'

# The recorded run itself, which did not fail.
run replay found/run-1.srt -- ./sum x
expect_status 0
expect_out '^shown: the recorded run happened again$'

run replay found/run-1.srt --block 1 -- ./sum x
expect_status 2
expect_err 'no block starts at event 1'
run replay found/run-1.srt --block "$block" -- /bin/true
expect_status 3
expect_err 'not instrumented'
run replay nothing
expect_status 3
expect_err 'nothing is neither a trace nor the id of a finding'
# Replays count what was elided, too.
run record -q --own-status --shared -o shared.srt -- ./sum x
expect_status 0
run predict --schedules shared shared.srt
expect_status 1
run replay shared.srt --schedule "$(echo shared/*.schedule)" -- ./sum x
expect_status 1
expect_out '^110$'
finish
