/* SPDX-License-Identifier: MIT */
/* A worker that asks whether to stop, and counts what it did. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop, done;

static void *worker(void *unused)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        int is_over = stop;
        pthread_mutex_unlock(&lock);
        if (is_over)
            break;
        pthread_mutex_lock(&lock);
        done++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *boss(void *unused)
{
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS worker, worker, boss
#define CORRECT done <= 8
#include "../start.h"
