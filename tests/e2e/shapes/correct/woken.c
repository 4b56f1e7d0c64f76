/* SPDX-License-Identifier: MIT */
/* Who was woken looks again: another one may have taken the item before it got the lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&changed, &lock);
    if (items == 0)
        exit(3);
    items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS take, take, put, put
#include "../start.h"
