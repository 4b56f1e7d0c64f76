/* SPDX-License-Identifier: MIT */
/* Who starts the helper has noted it before, in the critical section in which it has looked. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static int runs, helped;

static void *help(void *unused)
{
    pthread_mutex_lock(&lock);
    helped++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *start(void *unused)
{
    pthread_mutex_lock(&lock);
    int has_started = runs;
    runs = 1;
    pthread_mutex_unlock(&lock);
    if (!has_started)
        pthread_create(&helper, NULL, help, NULL);
    pthread_mutex_lock(&lock);
    helped += !has_started;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS start, start
#define CORRECT (pthread_join(helper, NULL) == 0 && helped == 2)
#include "../start.h"
