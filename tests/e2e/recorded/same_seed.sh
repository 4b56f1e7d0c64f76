#!/bin/sh
# SPDX-License-Identifier: MIT
# The same seed gives the same trace, with all values, also of pointers: threads that come and go,
# meet in C++20's ways, and allocate.
. "$(dirname "$0")/../lib.sh"

cat > meet.cc << 'END'
#include <atomic>
#include <barrier>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

int main()
{
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        std::latch all(3);
        std::barrier meeting(3);
        std::counting_semaphore<2> places(2);
        std::atomic<int> turn{0};
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&, i] {
                all.arrive_and_wait();
                places.acquire();
                auto memory = std::make_unique<int>(i);
                places.release();
                meeting.arrive_and_wait();
                for (int now = turn; now != i; now = turn)
                    turn.wait(now);
                sum += *memory;
                turn++;
                turn.notify_all();
            });
    }
    return sum == 9 ? 0 : 1;
}
END

cat > hot.c << 'END'
/* Many threads wait for one mutex for longer than a wait sleeps between two looks, and it is often
 * free while nobody takes it. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *own)
{
    volatile char *bytes = own;
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&m);
        n++;
        for (int k = 0; k < 20000; k++)
            bytes[k % 8]++;
        pthread_mutex_unlock(&m);
        for (int k = 0; k < 20000; k++)
            bytes[k % 8]++;
    }
    return NULL;
}
int main(void)
{
    enum { THREADS = 40 };
    static long own[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", n);
}
END

run c++ -std=c++20 -O1 -g -pthread meet.cc -o meet
expect_status 0
run cc -O1 -pthread hot.c -o hot
expect_status 0
nothing_stolen='--runtime steal_ms=5000:spin_ms=60000' # however busy the machine is
# expect_same_trace SCHEDULER SEED QUANTUM PROGRAM
expect_same_trace() {
    for turn in 1 2; do
        # shellcheck disable=SC2086 # they are words
        run record -q $nothing_stolen --scheduler $1 --seed $2 --quantum $3 -o trace.srt -- $4
        expect_status 0
        run convert --to text trace.srt -o trace$turn.std
        expect_status 0
    done
    cmp trace1.std trace2.std || fail "expected the same trace of $4 with $1, seed $2"
}
for scheduler in round-robin random pct; do
    for seed in 1 2 3; do
        expect_same_trace $scheduler $seed 7 ./meet
    done
    expect_same_trace $scheduler 3 4000 ./hot
done

# A mutex that was given to the thread that waits for it longest, and is free until that one runs, which takes long
# on a busy machine: the other one that waits goes on waiting, whatever the time.
cat > promised.c << 'END'
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int started;
static void compute(void) /* for a tenth of a second at least, with no operation that is recorded */
{
    for (long i = 0; i < 1000000000; i++)
        __asm__ volatile("");
}
static void *work(void *unused)
{
    __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_mutex_lock(&m);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < 2)
        sched_yield();
    sched_yield();
    sched_yield();
    pthread_mutex_unlock(&m);
    compute();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
run cc -O1 -pthread promised.c -o promised
expect_status 0
export SERIATIM_LOG=wait:debug
run record -q --runtime spin_ms=60000 -o promised.srt -- ./promised
unset SERIATIM_LOG
expect_status 0
expect_err 'T0 wait. T1 is woken$'
expect_err 'T1 wait. T2 is woken$'
finish
