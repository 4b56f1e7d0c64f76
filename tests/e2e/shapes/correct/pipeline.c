/* SPDX-License-Identifier: MIT */
/* Workers in a pipeline: each looks at the others' steps with the lock, works without it, and
 * then moves on. Nobody writes another's step, and only one works at a step. */
#include <pthread.h>

enum { WORKERS = 2, STEPS = 2, ITEMS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static struct {
    long index;
    int step, item;
} workers[WORKERS] = {{0, 0, 0}, {1, 0, 0}};
static long next_index = WORKERS;
static int made, sum;

static int must_wait(int own)
{
    for (int i = 0; i < WORKERS; i++)
        if (i != own && workers[i].step <= workers[own].step &&
            workers[i].index < workers[own].index)
            return 1;
    return 0;
}

static int do_step(int step, int item)
{
    if (step == 0)
        return made < ITEMS ? ++made : 0;
    sum += item;
    return 0;
}

static void run_worker(int own)
{
    while (workers[own].step < STEPS) {
        pthread_mutex_lock(&lock);
        while (must_wait(own))
            pthread_cond_wait(&moved, &lock);
        pthread_mutex_unlock(&lock);
        int item = do_step(workers[own].step, workers[own].item);
        workers[own].item = item;
        pthread_mutex_lock(&lock);
        workers[own].step =
            workers[own].step == STEPS - 1 || item ? (workers[own].step + 1) % STEPS : STEPS;
        if (workers[own].step == 0)
            workers[own].index = next_index++;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *unused)
{
    run_worker(0);
    return unused;
}

static void *second(void *unused)
{
    run_worker(1);
    return unused;
}

#define THREADS first, second
#define CORRECT sum == 6
#include "../start.h"
