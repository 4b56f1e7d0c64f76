/* SPDX-License-Identifier: MIT */
/* Gives the lock up twice on its way. finds: scan; one entry, since the lock is to be kept */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, seen, cursor, missed;

static void *scan(void *unused)
{
    pthread_mutex_lock(&lock);
    int begin = first;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    missed |= first != begin;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    cursor = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    missed |= cursor != 1;
    cursor = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *change(void *unused)
{
    pthread_mutex_lock(&lock);
    first++;
    second++;
    seen += cursor;
    cursor = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS scan, change
#define CORRECT (!missed)
#include "../start.h"
