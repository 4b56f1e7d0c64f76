/* SPDX-License-Identifier: MIT */
/* Whose counter is lowest is only a guess: the result of the atomic operation decides. */
#include <pthread.h>

enum { WORKERS = 3, JOBS = 6 };
static long counters[WORKERS] = {0, 1, 2};
static int done[JOBS];

static long steal(void)
{
    int lowest = 0;
    for (int i = 0; i < WORKERS; i++)
        if (counters[lowest] > counters[i])
            lowest = i;
    long job = __sync_fetch_and_add(&counters[lowest], WORKERS);
    return job >= JOBS ? -1 : job;
}

static void *worker(void *unused)
{
    for (long job = steal(); job >= 0; job = steal())
        done[job]++;
    return unused;
}

static int count_done(void)
{
    int count = 0;
    for (int i = 0; i < JOBS; i++)
        count += done[i] == 1;
    return count;
}

#define THREADS worker, worker
#define CORRECT count_done() == JOBS
#include "../start.h"
