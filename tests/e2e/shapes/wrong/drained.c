/* SPDX-License-Identifier: MIT */
/* A loop asks whether there is something, and takes it: another thread may have been faster. The
 * program fails before it acts.
 * finds: a block in drain */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 4;

static int is_empty(void)
{
    pthread_mutex_lock(&lock);
    int empty = left == 0;
    pthread_mutex_unlock(&lock);
    return empty;
}

static void take(void)
{
    pthread_mutex_lock(&lock);
    assert(left > 0);
    left--;
    pthread_mutex_unlock(&lock);
}

static void *drain(void *unused)
{
    while (!is_empty())
        take();
    return unused;
}

#define THREADS drain, drain
#include "../start.h"
