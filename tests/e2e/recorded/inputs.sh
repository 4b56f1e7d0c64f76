#!/bin/sh
# SPDX-License-Identifier: MIT
# What the time, chance and process numbers were in the recorded run is given back in a replay.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > chance.cpp <<'END_OF_PROGRAM'
#include <fcntl.h>
#include <pthread.h>
#include <random>
#include <seriatim/annotate.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>
static int left = 50, right = 50, signals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(int *from)
{
    pthread_mutex_lock(&lock);
    int seen = *from;
    pthread_mutex_unlock(&lock);
    return seen;
}
/* Before there are threads: in a replay that has them in another order, clocks do not go back. */
static unsigned moment()
{
    struct timespec now;
    struct timeval day;
    clock_gettime(CLOCK_MONOTONIC, &now);
    gettimeofday(&day, NULL);
    return (unsigned)now.tv_nsec ^ (unsigned)day.tv_usec ^ (unsigned)time(NULL);
}
static unsigned start;
static unsigned chance()
{
    unsigned bytes[3], value = 0;
    if (getrandom(&bytes[0], 4, 0) != 4 || getentropy(&bytes[1], 4) != 0)
        abort();
    int file = open("/dev/urandom", O_RDONLY);
    if (read(file, &bytes[2], 4) != 4)
        abort();
    close(file);
    value = bytes[0] ^ bytes[1] ^ bytes[2] ^ start;
    return value ^ (unsigned)getpid() ^ std::random_device()();
}
static void *sum(void *unused)
{
    for (unsigned i = chance() % 8; i > 0; i--)
        get(&left);
    SERIATIM_ATOMIC_BEGIN("sum");
    int all = get(&left);
    all += get(&right);
    SERIATIM_ATOMIC_END();
    printf("%d %u\n", all, chance());
    return unused;
}
static void *move(void *unused)
{
    for (unsigned i = chance() % 8; i > 0; i--)
        get(&left);
    pthread_mutex_lock(&lock);
    left -= 10;
    right += 10;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void on_signal(int) { signals = 1; }
int main()
{
    pthread_t threads[2];
    signal(SIGUSR1, on_signal);
    kill(getpid(), SIGUSR1);
    if (!signals)
        return 9;
    start = moment();
    pthread_create(&threads[0], NULL, sum, NULL);
    pthread_create(&threads[1], NULL, move, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" c++ -O1 -pthread chance.cpp -o chance || fail "the program should build"

# How far each thread goes before the block depends on all of these; the output, too.
run run --effort quick -o found -- ./chance
expect_status 1
grep -Eq '^100 [0-9]+$' out || fail "expected what the program prints"
number=$(sed -n 's/^100 //p' out)
expect_out "Confirmed: .*it prints \"110 $number\" instead of \"100 $number\""
for _ in 1 2 3 4 5; do
    run replay --attempts 1 found/run-1.srt --schedule found/violation-1.schedule -- ./chance
    expect_status 1
    expect_out "^110 $number$"
done

# A replay has them, too, and can be replayed.
block=$(sed -n 's/^block //p' found/violation-1.schedule)
run replay --attempts 1 -o again.srt found/run-1.srt --block "$block" -- ./chance
expect_status 1
run check again.srt
expect_status 1

# Without them the program soon does something else.
same=0
for _ in 1 2 3 4 5 6 7 8; do
    run replay --no-inputs --attempts 1 found/run-1.srt --schedule found/violation-1.schedule -- ./chance
    [ "$status" = 4 ] || same=$((same + 1))
done
[ $same -lt 8 ] || fail "expected other numbers without the recorded ones"

# What was not recorded is asked for, and that is said.
run record --no-inputs -o without.srt -- ./chance
run record -o with.srt -- ./chance
[ "$(wc -c < without.srt)" -lt "$(wc -c < with.srt)" ] || fail "expected the inputs in the trace"

# They can be asked for; the command line counts more than the environment.
run record --runtime inputs=0 -o without.srt -- ./chance
run record --runtime inputs=0 --inputs -o with.srt -- ./chance
[ "$(wc -c < without.srt)" -lt "$(wc -c < with.srt)" ] || fail "expected the inputs with --inputs"
run replay --inputs --attempts 1 found/run-1.srt --schedule found/violation-1.schedule -- ./chance
expect_status 1
run run --effort quick --inputs --no-inputs -- ./chance
expect_status 2
expect_err 'contradict'

# Time goes on from what was given back, and waits take as long as they should.
cat > wait.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <time.h>
static int left = 50, right = 50;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
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
    return all ? unused : NULL;
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
    (void)argv;
    pthread_t threads[2];
    struct timespec before, after;
    if (argc > 1)
        clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_create(&threads[0], NULL, sum, NULL);
    pthread_create(&threads[1], NULL, move, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_REALTIME, &before);
    after = before;
    after.tv_nsec += 200000000;
    after.tv_sec += after.tv_nsec / 1000000000;
    after.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    int result = pthread_cond_timedwait(&never, &lock, &after);
    pthread_mutex_unlock(&lock);
    clock_gettime(CLOCK_REALTIME, &after);
    printf("%d %ld\n", result, (long)before.tv_sec);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" cc -O1 -pthread wait.c -o wait || fail "the program should build"
run run --effort quick --no-replay -o waits -- ./wait
expect_status 1
told=$(grep -E '^110 ' out)
second=$(date +%s)
another_second() { [ "$(date +%s)" != "$second" ]; }
wait_for 'another second' another_second
start=$(date +%s%N)
run replay waits/run-1.srt --schedule waits/violation-1.schedule -- ./wait
expect_status 1
[ $((($(date +%s%N) - start) / 1000000)) -ge 200 ] || fail "expected the wait to take its time"
expect_out "^$told$"
run replay waits/run-1.srt --schedule waits/violation-1.schedule --json missing.json -- ./wait more
expect_status 1
expect_out '^1 call for the time, random numbers or process numbers had not been recorded and returned'
grep -q '"missingInputs": 1' missing.json || fail "expected the number of missing answers"

# Threads that come in another order than recorded get their recorded times, but no clock goes back
# from one to the other.
cat > stamps.c <<'END_OF_PROGRAM'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long newest;
static int state, back;
static void set(int value)
{
    struct timespec now;
    pthread_mutex_lock(&lock);
    state = value;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long time = now.tv_sec * 1000000000LL + now.tv_nsec;
    back += time < newest;
    newest = time;
    pthread_mutex_unlock(&lock);
}
static void publish(void)
{
    set(1);
    set(2);
}
static void *first(void *unused)
{
    publish();
    return unused;
}
static void *second(void *unused)
{
    set(3);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("state %d, back %d\n", state, back);
    return 0;
}
END_OF_PROGRAM
echo publish > names
"$SERIATIM" cc -O1 -pthread stamps.c -o stamps || fail "the program should build"
run run --effort quick --atomic names -o stamps.out -- ./stamps
expect_status 1
expect_out 'it prints "state 2, back 0" instead of "state 3, back 0"'
finish
