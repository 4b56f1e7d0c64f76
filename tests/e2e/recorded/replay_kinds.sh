#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim run and replay with everything that threads wait for, and with programs that fork,
# get signals, read standard input or never end: what is predicted is confirmed, and shown by
# each of many replays.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# One thread adds two numbers up, another moves something from one to the other. What keeps
# them apart, and what else happens, is chosen by a macro.
cat > pair.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef ATOMICS
static atomic_int left = 50, right = 50;
#else
static int left = 50, right = 50;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int ready, handled, words;
static void enter(int writes)
{
#if defined RWLOCK
    writes ? pthread_rwlock_wrlock(&readers) : pthread_rwlock_rdlock(&readers);
#elif !defined ATOMICS
    pthread_mutex_lock(&lock);
#endif
    (void)writes;
}
static void leave(void)
{
#if defined RWLOCK
    pthread_rwlock_unlock(&readers);
#elif !defined ATOMICS
    pthread_mutex_unlock(&lock);
#endif
}
#ifdef TIMES
static void await(int *flag)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 20000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    pthread_mutex_lock(&other);
    if (!*flag)
        pthread_cond_timedwait(&condition, &other, &time);
    pthread_mutex_unlock(&other);
}
#endif
static void on_signal(int number)
{
    handled += number;
}
static void *sum(void *slow)
{
    (void)slow;
#ifdef BARRIER
    pthread_barrier_wait(&barrier);
#elif defined CONDITION
    pthread_mutex_lock(&other);
    while (!ready)
        pthread_cond_wait(&condition, &other);
    pthread_mutex_unlock(&other);
#endif
    SERIATIM_ATOMIC_BEGIN("sum");
    enter(0);
    int all = left;
    leave();
#ifdef TIMES
    static int never;
    await(&never);
    await(&ready);
#elif defined SIGNALS
    raise(SIGUSR1);
#endif
    enter(0);
    all += right;
    leave();
    SERIATIM_ATOMIC_END();
    printf("%d\n", all);
    return NULL;
}
static void *move(void *slow)
{
    enter(1);
    left -= 10;
    right += 10;
    leave();
#ifdef BARRIER
    pthread_barrier_wait(&barrier);
    enter(1);
    left -= 10;
    right += 10;
    leave();
#elif defined CONDITION || defined TIMES
    if (slow) /* longer than the other one waits */
        usleep(60000);
    pthread_mutex_lock(&other);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&other);
#endif
#if defined CONDITION
    enter(1);
    left -= 10;
    right += 10;
    leave();
#endif
    (void)slow;
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    (void)argv;
    signal(SIGUSR1, on_signal);
    pthread_barrier_init(&barrier, NULL, 2);
#ifdef INPUT
    for (int letter; (letter = getchar()) != EOF;)
        words += letter == '\n';
    while (words-- > 0) {
        enter(0);
        leave();
    }
#elif defined FORKS
    if (fork() == 0) {
        enter(1);
        leave();
        usleep(1000);
        _exit(3);
    }
    int status;
    wait(&status);
    if (WEXITSTATUS(status) != 3)
        return 9;
#endif
    pthread_create(&threads[0], NULL, sum, argc > 1 ? &ready : NULL);
    pthread_create(&threads[1], NULL, move, argc > 1 ? &ready : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fflush(stdout);
#ifdef FOREVER
    for (;;)
        pause();
#endif
    return 0;
}
END_OF_PROGRAM

# build NAME: the program with that macro.
build() {
    "$SERIATIM" cc -O1 -pthread -D"$1" pair.c -o "$1" || fail "$1 should build"
}

# replay_often TIMES WORDS...: the replay that the last run has named, with more words.
replay_often() {
    times=$1
    shift
    replay=$(sed -n 's/^to replay: seriatim replay //p' out)
    [ -n "$replay" ] || return 0
    for _ in $(seq "$times"); do
        # shellcheck disable=SC2086 # the words of a command
        run replay --quiet --attempts 1 --grace 0.2 $replay "$@"
        expect_status 1
        expect_out '^shown: '
    done
}

# confirm COMMAND NAME
confirm() {
    build "$2"
    # shellcheck disable=SC2086 # a command and its options
    run $1 -o "$2.out" -- "./$2"
    expect_status 1
    expect_out 'Confirmed: it happened'
    replay_often 20
}

for kind in MUTEX RWLOCK ATOMICS TIMES SIGNALS FORKS; do
    confirm run $kind
done
# Here the first run has the threads one after the other, and nothing can be predicted from it.
for kind in BARRIER CONDITION; do
    confirm 'explore --schedules 20' $kind
done

# The time of a wait is over when the schedule says so, however long the other one takes.
run run --effort quick -o TIMES.out -- ./TIMES
replay_often 3 slow

# Two threads wait, and which of them a notify wakes is the schedule's choice: the second one may
# use the first notify, before the other one comes. The wait returns that its time is not over.
cat > wakes.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, waiting, shown;
static void show(int what)
{
    pthread_mutex_lock(&lock);
    shown = what;
    pthread_mutex_unlock(&lock);
}
static int await(void)
{
#ifdef TIMED
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 100;
    return pthread_cond_timedwait(&condition, &other, &time);
#else
    return pthread_cond_wait(&condition, &other);
#endif
}
static void *use(void *goes_on)
{
    pthread_mutex_lock(&other);
    waiting++;
    while (!ready && !await())
        ;
    pthread_mutex_unlock(&other);
    if (!goes_on)
        return NULL;
    SERIATIM_ATOMIC_BEGIN("use");
    show(1);
    pthread_mutex_lock(&lock);
    int seen = shown;
    pthread_mutex_unlock(&lock);
    SERIATIM_ATOMIC_END();
    return seen == 1 ? NULL : goes_on;
}
static void *give(void *unused)
{
    pthread_mutex_lock(&other);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&other);
    show(0);
    pthread_cond_signal(&condition);
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? use : give, i ? &shown : NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_PROGRAM
for kind in UNTIMED TIMED; do
    "$SERIATIM" cc -O1 -pthread -D$kind wakes.c -o wakes || fail "the program should build"
    second=0
    for seed in $(seq 20); do
        run record -q -o wakes.srt --scheduler random --quantum 100 --seed "$seed" -- ./wakes
        "$SERIATIM" convert --to text -o wakes.std wakes.srt 2> err
        order=$(sed -n 's/^\(T[123]|\(wait\|notify\|begin\)\).*/\1/p' wakes.std | tr '\n' ' ')
        [ "$order" != 'T1|wait T2|wait T3|notify T3|notify T2|begin ' ] || second=$((second + 1))
        rm -rf wakes.out
        run predict -q --schedules wakes.out wakes.srt
        for schedule in wakes.out/*; do
            [ -f "$schedule" ] || continue
            run replay -q --attempts 1 wakes.srt --schedule "$schedule" -- ./wakes
            expect_status 1
        done
    done
    [ "$second" -gt 0 ] || fail "expected the second thread to go on first"
done

# A semaphore that lets two in, of C++20.
"$SERIATIM" c++ -std=c++20 -O1 -pthread "$here/programs/wrong/semaphore.cc" -o two &&
    echo count > names || fail "the program should build"
run explore --schedules 20 --atomic names -o two.out -- ./two
expect_status 1
expect_out 'Confirmed: it happened'
replay_often 20

# Standard input: a file is read again. What came through a pipe is gone: then the program takes
# another path, and is replayed by place.
build INPUT
printf 'a\nb\n' > input
run_with_input input run --effort quick -o INPUT.out -- ./INPUT
expect_status 1
expect_out 'Confirmed: it happened'
replay=$(sed -n 's/^to replay: seriatim replay //p' out)
for _ in 1 2 3; do
    # shellcheck disable=SC2086 # the words of a command
    run_with_input input replay $replay
    expect_status 1
done
status=0
# shellcheck disable=SC2002 # a pipe is what is tested
cat input | "$SERIATIM" run --effort quick -o piped.out -- ./INPUT > out 2> err || status=$?
expect_status 1
expect_out 'Confirmed: it happened'
status=0
# shellcheck disable=SC2002
cat input | "$SERIATIM" replay piped.out/run-1.srt --schedule piped.out/violation-1.schedule \
    -- ./INPUT > out 2> err || status=$?
expect_status 1

# A program that never ends: --run-limit ends it, and all that follows is done.
build FOREVER
run run --effort quick --run-limit 1 --grace 0.2 -o FOREVER.out -- ./FOREVER
expect_status 1
expect_out 'Confirmed: it happened'
replay_often 3

# It is interrupted, and what was recorded is not lost; not by a second signal, either, which timeout(1)
# sends to the group, so that it may come a little later. Nothing new is begun.
for echo in no yes; do
    rm -rf FOREVER.out
    : > out # the sign of the program before is none
    "$SERIATIM" run --effort quick --grace 0.2 -o FOREVER.out -- ./FOREVER > out 2> err &
    process=$!
    wait_for 'the program' grep -q 100 out
    kill -TERM $process
    [ $echo = no ] || kill -TERM $process 2> kill_said
    status=0
    wait $process || status=$?
    expect_status 4
    expect_out 'interrupted: .* 1 violation not replayed'
    replay_often 3
done

# A thread that stops: reported within a second.
sed 's/^    pthread_barrier_init/    if (argc > 1)\n        pause();\n&/' pair.c > stops.c
"$SERIATIM" cc -O1 -pthread -DMUTEX stops.c -o stops || fail "the program should build"
run run --effort quick --no-replay -o stops.out -- ./stops
start=$(date +%s%N)
run replay --attempts 1 stops.out/run-1.srt --schedule stops.out/violation-1.schedule -- ./stops x
expect_status 4
expect_out '^diverged at event [0-9]+: expected .* of T0, saw no step of it for too long'
[ $((($(date +%s%N) - start) / 1000000)) -le 30000 ] || fail "expected it to be said at once, were the machine not busy"
finish
