/* SPDX-License-Identifier: MIT */
/* Threads compute without a call for longer than the watchdog waits, then hammer shared
 * words: the token is taken from them all the time, also just when they come back. */
#include <time.h>

#include "program.h"

static uint32_t words[4];

static void compute(uint64_t nanoseconds)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((uint64_t)((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec) <
           nanoseconds);
}

static void *work(void *argument)
{
    uint32_t me = (uint32_t)(uintptr_t)argument, random = me;
    for (int i = 0; i < 150; i++) {
        random = random * 1664525 + 1013904223;
        compute(random % 3000000);
        for (uint32_t k = 0; k < 40; k++) {
            STORE(words[k % 4], me << 16 | k);
            (void)LOAD(words[(k + 1) % 4]);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
