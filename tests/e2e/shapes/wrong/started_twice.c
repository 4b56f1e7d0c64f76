/* SPDX-License-Identifier: MIT */
/* Whether the helper runs is looked at in one critical section, and noted in another: both start
 * it. finds: a block in start */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static int runs;

static void *help(void *unused)
{
    return unused;
}

static void *start(void *unused)
{
    pthread_mutex_lock(&lock);
    int has_started = runs;
    pthread_mutex_unlock(&lock);
    if (has_started)
        return unused;
    pthread_t made;
    pthread_create(&made, NULL, help, NULL);
    pthread_mutex_lock(&lock);
    helper = made;
    runs++;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS start, start
#define CORRECT (pthread_join(helper, NULL) == 0 && runs == 1)
#include "../start.h"
