/* SPDX-License-Identifier: MIT */
/* Which clock is the fast one: each thread that does not know it yet finds it out, and notes the
 * same. */
#include <pthread.h>
#include <time.h>

static volatile int fast = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int asked;

static long now(void)
{
    struct timespec time;
    if (fast == -1) {
        clock_getres(CLOCK_MONOTONIC, &time);
        fast = CLOCK_MONOTONIC;
    }
    pthread_mutex_lock(&lock);
    asked++;
    pthread_mutex_unlock(&lock);
    clock_gettime(fast, &time);
    return time.tv_sec;
}

static void *work(void *unused)
{
    return now() + now() >= 0 ? unused : NULL;
}

#define THREADS work, work
#define CORRECT asked == 4
#include "../start.h"
