#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C and SIGTERM for run, explore and replay, in whatever they are doing: they end soon, with
# what is known by then, say what was not done, and leave no process behind. Each signal is sent
# once the program has given a sign, to seriatim alone and to its process group, as a terminal does.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# program r|w RUN [early|stubborn]: every run adds its process to `pids`. Number RUN, from 0 on,
# makes the file `hangs` and goes on for ever: at its end; or early, and all runs after it, too,
# since a replay that diverges is repeated. If it is stubborn it ignores SIGTERM. With w there is a
# violation to predict.
cat > program.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&lock);
    int value = x;
    pthread_mutex_unlock(&lock);
    return value;
}
static void *write_x(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *write_y(void *unused)
{
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void hang(void)
{
    fclose(fopen("hangs", "w"));
    for (;;)
        usleep(1000);
}
int main(int argc, char **argv)
{
    pthread_t other;
    char when = argc > 3 ? *argv[3] : ' ';
    FILE *runs = fopen("pids", "a+");
    int before = 0;
    rewind(runs);
    for (int c; (c = getc(runs)) != EOF;)
        before += c == '\n';
    fprintf(runs, "%d\n", (int)getpid());
    fclose(runs);
    if (when == 's')
        signal(SIGTERM, SIG_IGN);
    if (when == 'e' && before >= atoi(argv[2]))
        hang();
    pthread_create(&other, NULL, *argv[1] == 'w' ? write_x : write_y, NULL);
    SERIATIM_ATOMIC_BEGIN("two reads");
    int same = get() == get();
    SERIATIM_ATOMIC_END();
    pthread_join(other, NULL);
    if (before == atoi(argv[2]))
        hang();
    return !same;
}
END
"$SERIATIM" cc -O1 -pthread program.c -o program || fail "the program should build"

# end_of PROCESS: waits for it, and keeps its status. What does not end by itself is killed.
end_of() {
    wait_for 'its end' is_gone "$1" || kill -9 -"$1"
    status=0
    wait "$1" || status=$?
}

expect_nothing_left() {
    while read -r process; do
        ! kill -0 "$process" 2> kill_said || fail "process $process is left"
    done < pids
}

# interrupted SIGNAL TO ARGUMENTS...: runs seriatim until there is the file `hangs`; then it must
# end.
interrupted() {
    signal=$1 to=$2
    shift 2
    shown="seriatim $*, interrupted by $signal"
    rm -rf hangs pids seriatim.out
    : > pids
    setsid "$SERIATIM" "$@" > out 2> err < /dev/null &
    process=$!
    wait_for 'the run that hangs' test -e hangs
    kill -"$signal" "$to$process"
    end_of $process
    expect_nothing_left
}

expect_json() {
    tr -s '\n ' '  ' < seriatim.out/result.json | grep -Eq -- "$1" || fail "expected in result.json: $1"
}

for signal in INT TERM; do
    for to in '' -; do
        # While the first run is recorded: what was recorded is analysed. What was predicted and not
        # replayed is undecided (--fail-on).
        interrupted $signal "$to" run --effort quick -- ./program w 0
        expect_status 4
        expect_out 'partial result: interrupted: 1 run recorded .*in part, 1 violation not replayed'
        expect_json '"partial": true'
        expect_json '"reason": "interrupted", "runs": 0, "blocks": 0, "violations": 1'
        interrupted $signal "$to" run --effort quick -- ./program r 0
        expect_status 4
        expect_out '^undecided: '
        expect_json '"verdict": "undecided"'
        # In a later one.
        interrupted $signal "$to" run -n 5 -- ./program r 2
        expect_status 4
        expect_out 'interrupted: 2 of 5 runs recorded'
        expect_json '"reason": "interrupted", "runs": 3,'
        interrupted $signal "$to" run -n 5 -- ./program w 1
        expect_status 4
        expect_out 'interrupted: 1 of 5 runs recorded, 1 violation not replayed'
        # In the replay.
        interrupted $signal "$to" run --effort quick --attempts 1000000 -- ./program w 1 early
        expect_status 4
        expect_out 'interrupted: 1 violation not replayed'
        [ "$(tail -n 1 out)" = 'violation: 1 place is not atomic' ] || fail "expected the verdict last"
        interrupted $signal "$to" explore -s 1000 -- ./program r 2
        expect_status 4
        expect_out 'interrupted: 2 runs recorded'
        expect_json '"command": "explore"'
        interrupted $signal "$to" explore -n 1 --attempts 1000000 -- ./program w 1 early
        expect_status 4
        expect_out 'interrupted: 1 violation not replayed'
        # After the violation has happened in it.
        interrupted $signal "$to" run --effort quick -- ./program w 1
        expect_status 1
        expect_out 'Confirmed: it happened; the program went on, and was ended'
    done
done

# A program that does not care about SIGTERM is ended all the same.
interrupted TERM '' run --effort quick -- ./program r 0 stubborn
expect_status 4
interrupted TERM '' explore -s 1000 -- ./program r 1 stubborn
expect_status 4

# replay, after and before the violation.
rm -f pids
: > pids
run run --effort quick --no-replay -o recorded -- ./program w 9
expect_status 1
for signal in INT TERM; do
    interrupted $signal '' replay --json replay.json recorded/run-1.srt \
        --schedule recorded/violation-1.schedule -o again.srt -- ./program w 0
    expect_status 1
    expect_out '^shown: '
    interrupted $signal '' replay --json replay.json recorded/run-1.srt \
        --schedule recorded/violation-1.schedule -o again.srt --attempts 1000000 -- ./program w 0 early
    expect_status 4
    expect_out 'interrupted before the schedule was followed'
    grep -q '"reason": "interrupted before' replay.json || fail "expected the reason in replay.json"
done

# Whatever an exploration is doing when the signal comes, and if it comes twice, it ends.
has_runs() {
    [ "$(wc -l < pids)" -ge "$1" ]
}
for count in 1 2 3 5 8 13; do
    rm -rf pids seriatim.out
    : > pids
    shown="seriatim explore, interrupted after $count runs"
    setsid "$SERIATIM" explore -q -s 1000 -- ./program r 100000 > out 2> err < /dev/null &
    process=$!
    wait_for "$count runs" has_runs $count
    kill -TERM $process
    kill -TERM -$process 2> kill_said # perhaps it has ended by now
    end_of $process
    expect_status 4
    expect_out 'interrupted: [0-9]+ runs? recorded'
    expect_json '"verdict": "undecided"'
    expect_nothing_left
done
finish
