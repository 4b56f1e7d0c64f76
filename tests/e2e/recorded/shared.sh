#!/bin/sh
# SPDX-License-Identifier: MIT
# What record --shared leaves out changes no verdict, and what is predicted from such a trace is
# shown by a replay as without: a replay counts the operations that are not in the trace, too. The
# same with what the runtime leaves out from the first operation on.
. "$(dirname "$0")/../lib.sh"
. "$here/programs/judge.sh"

# predict_and_replay NAME FILE OPTIONS...: how many violations are predicted, and the exit
# statuses of replays of the first three, into NAME.
predict_and_replay() {
    name=$1 file=$2
    shift 2
    rm -rf schedules
    record "$file" "$@" || return 1
    run predict -q --atomic "$blocks" --schedules schedules trace.srt
    find . -path './schedules/*' > found
    wc -l < found > "$name"
    sort -V found | head -n 3 > first
    while read -r schedule; do
        run replay -q --atomic "$blocks" trace.srt --schedule "$schedule" -- ./recorded
        [ "$status" = 1 ] || fail "expected it to be shown, $file, $*"
        replays=$((replays + 1))
    done < first
}

replays=0 gaps=0
for file in "$source_folder"/examples/*/wrong.c* "$programs"/wrong/*.c; do
    echo "$file"
    choose_blocks "$file"
    build "$file"
    wanted_status=0
    ./plain > out 2>&1 < /dev/null || wanted_status=$?
    for scheduler in round-robin 'random --quantum=5'; do
        # shellcheck disable=SC2086 # options are words
        predict_and_replay all "$file" --scheduler=$scheduler &&
            predict_and_replay shared "$file" --scheduler=$scheduler --shared &&
            expect_same all shared
    done
    predict_and_replay some "$file" --scheduler=round-robin --runtime exact=0
    predict_and_replay parallel "$file" --mode=parallel --runtime exact=0
    predict_and_replay parallel "$file" --mode=parallel --shared || continue
    "$SERIATIM" convert --to text -o text trace.srt 2> err
    gaps=$((gaps + $(grep -cE '\|(skip|call|ret).*\|value=' text)))
done

# Threads look at what others did and the runtime has elided; one is not recorded at all.
cat > hidden.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdint.h>
enum { THREADS = 3, ROUNDS = 60, WORDS = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int areas[THREADS][WORDS], own[WORDS], state;
static void set(int to)
{
    pthread_mutex_lock(&lock);
    state = to;
    pthread_mutex_unlock(&lock);
}
static int look(int round)
{
    SERIATIM_ATOMIC_BEGIN("look");
    set(round);
    pthread_mutex_lock(&lock);
    int seen = state;
    pthread_mutex_unlock(&lock);
    SERIATIM_ATOMIC_END();
    return seen;
}
static void *work(void *number)
{
    uintptr_t self = (uintptr_t)number;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++)
            areas[self][i] += round;
        set(round);
        if (round % 20 == 5)
            look(round);
        for (int i = 0; round % 20 == 15 && i < WORDS; i++)
            areas[self][0] += areas[(self + 1) % THREADS][i];
    }
    return NULL;
}
static void *work_alone(void *unused)
{
    for (int i = 0; i < WORDS; i++)
        own[i] += i;
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS], alone;
    pthread_create(&alone, NULL, work_alone, NULL);
    pthread_join(alone, NULL);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
"$SERIATIM" cc -O1 -pthread hidden.c -o recorded || fail "expected a program"
blocks=markers wanted_status=0 late=0
for seed in 1 2 3 4 5 6 7 8; do
    set -- --scheduler=random --quantum=40 --seed=$seed
    predict_and_replay shared hidden.c "$@" --shared
    predict_and_replay both hidden.c "$@" --shared --runtime exact=0
    predict_and_replay some hidden.c "$@" --runtime exact=0
    "$SERIATIM" convert --to text -o text trace.srt 2> err
    late=$((late + $(grep -c '|late=1' text)))
done
[ "$late" -gt 0 ] || fail "expected accesses after what was elided"

[ "$replays" -ge 50 ] || fail "expected more replays than $replays"
[ "$gaps" -ge 50 ] || fail "expected more to be elided than in $gaps places"
finish
