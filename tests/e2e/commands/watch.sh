#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that is watched: a violation is reported while it runs, a correct one is not accused, at no
# seam between segments, whatever it holds there: locks, waits, semaphores, blocks; the disk is bounded.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }
cat > server.c << 'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "seriatim/annotate.h"

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, bank_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t room;
static long waiting, total, failed, turn, guarded;
static int rounds, wrong, stop;

/* Ordered by the condition and the semaphore alone. */
static void hand_over(void)
{
    SERIATIM_ATOMIC_BEGIN("hand over");
    guarded++;
    guarded++;
    SERIATIM_ATOMIC_END();
}

static void audit(void)
{
    SERIATIM_ATOMIC_BEGIN("audit");
    pthread_mutex_lock(&bank_lock);
    long before = total;
    if (wrong) {
        pthread_mutex_unlock(&bank_lock);
        pthread_mutex_lock(&bank_lock);
    }
    failed += before != total;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
}

static void *work(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&queue_lock);
        while (!waiting && !stop)
            pthread_cond_wait(&filled, &queue_lock);
        int have = waiting > 0;
        waiting -= have;
        pthread_mutex_unlock(&queue_lock);
        if (!have)
            return NULL;
        hand_over();
        SERIATIM_ATOMIC_BEGIN("deposit");
        pthread_mutex_lock(&bank_lock);
        total++;
        pthread_mutex_unlock(&bank_lock);
        SERIATIM_ATOMIC_END();
        sem_post(&room);
    }
}

int main(int argc, char **argv)
{
    pthread_t worker;
    rounds = atoi(argv[1]);
    wrong = argc > 2;
    sem_init(&room, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    for (int i = 0; i < rounds; i++) {
        hand_over();
        pthread_mutex_lock(&queue_lock);
        waiting++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&queue_lock);
        if (i > rounds / 2)
            audit();
        sem_wait(&room);
        void *block = malloc(16 + i % 64);
        free(block);
        if (i % 500 == 0)
            usleep(30000); /* so that there are several segments */
    }
    pthread_mutex_lock(&queue_lock);
    stop = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&queue_lock);
    pthread_join(worker, NULL);
    return 0;
}
END
"$SERIATIM" cc -g -O1 -I"$source_folder/include" -o server server.c -lpthread 2> err || fail "cannot build"

# Many short segments with few records in common.
for mode in serial parallel; do
    run watch --mode $mode --every 0.02 --window 16 -o right -- ./server 4000
    expect_status 0
    expect_out '^no violation within windows of 16 events$'
    expect_no_err
    [ "$(find right -name 'segment-*.srt' | wc -l)" -ge 2 ] || fail "there should be several segments"
    run watch --mode $mode --every 0.02 --window 64 -o wrong -- ./server 4000 wrong
    expect_status 1
    expect_out '^After [0-9.]+ s, in wrong/segment-0.*\.srt:$'
    expect_out '^Violation 1: block .* \(audit, server\.c:[0-9]+\) is not atomic\.$'
    expect_out '^violation: 1 place of the code can be violated$'
    # The segment is a trace; what was found is found in it again.
    found=$(sed -n 's/^After .* in \(.*\):$/\1/p' out)
    run validate "$found"
    expect_status 0
    run predict --window 1024 "$found"
    expect_status 1
    # What stands for the past ends with a skip event, and all that is there before it opens or begins something.
    run convert --to text "$found"
    expect_status 0
    sed '/|skip(*)*|/q' out > past
    tail -n 1 past | grep -q '|skip(*)*|.*flow=ran' || fail "no event ends the past"
    ! grep -Ev '\|(call|begin|acq|wait|post|skip)\b' past || fail "the past has other events"
done

# What is old goes, but not what shows a violation.
run watch --every 0.02 --window 64 --keep 1 -o kept -- ./server 4000 wrong
expect_status 1
[ "$(find kept -type f | wc -l)" = 1 ] || fail "one trace should be left"
[ -f "$(sed -n 's/^After .* in \(.*\):$/\1/p' out)" ] || fail "it is not the one that shows the violation"

run watch -- /bin/true
expect_status 3
expect_err 'not instrumented'
run watch --keep much -- ./server 1
expect_status 2
run watch --exact 1 -- ./server 1
expect_status 2

# Neither a thread that sleeps nor rings that stay almost empty delay a report: it comes while the program waits for
# its input, which is given only then. Whichever thread runs first, the other's first write can come into its pairs.
cat > idle.c << 'EOF'
#include <pthread.h>
#include <unistd.h>

#include "seriatim/annotate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        shared = i;
        pthread_mutex_unlock(&lock);
        SERIATIM_ATOMIC_BEGIN("pair");
        pthread_mutex_lock(&lock);
        int first = shared;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        shared = first + 1;
        pthread_mutex_unlock(&lock);
        SERIATIM_ATOMIC_END();
    }
    for (;;)
        pause();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char byte;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    return read(0, &byte, 1) != 1;
}
EOF
"$SERIATIM" cc -g -O1 -I"$source_folder/include" -o idle idle.c -lpthread 2> err || fail "cannot build"
mkfifo input
"$SERIATIM" watch --mode parallel --every 0.1 -o idle.watch -- ./idle < input > idle.out 2> idle.err &
watcher=$!
exec 3> input
shown='seriatim watch, of a program that waits for its input'
wait_for 'the report while the program waits' grep -q '^Violation 1: block .* (pair, idle\.c:[0-9]*)' idle.out
echo >&3
exec 3>&-
status=0
wait $watcher || status=$?
expect_status 1

# What conflicts with a block is further away than its window, behind what its threads do with their own memory: it is
# found by a second look. The two come one after the other.
cat > far.c << 'EOF'
#include <pthread.h>

#include "seriatim/annotate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, together;
static volatile int own[8]; /* of one thread */

static void *write_twice(void *unused)
{
    (void)unused;
    SERIATIM_ATOMIC_BEGIN("far");
    pthread_mutex_lock(&lock);
    shared = 1;
    if (!together) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    shared = 2;
    pthread_mutex_unlock(&lock);
    SERIATIM_ATOMIC_END();
    for (int i = 0; i < 60; i++)
        own[i % 8]++;
    return NULL;
}

static void *write_once(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    shared = 3;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    (void)argv;
    together = argc > 1;
    pthread_create(&threads[0], NULL, write_twice, NULL);
    pthread_create(&threads[1], NULL, write_once, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
EOF
"$SERIATIM" cc -g -O1 -I"$source_folder/include" -o far far.c -lpthread 2> err || fail "cannot build"
run watch --window 16 --scheduler round-robin --quantum 100000 -o far.watch -- ./far
expect_status 1
expect_out '^Violation 1: block .* \(far, far\.c:[0-9]+\) is not atomic\.$'
run predict --window 16 far.watch/segment-000001.srt
expect_status 0
run watch --window 16 -o near.watch -- ./far together
expect_status 0
finish
