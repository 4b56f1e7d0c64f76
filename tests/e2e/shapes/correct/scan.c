/* SPDX-License-Identifier: MIT */
/* Keeps the lock on its way. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, seen, cursor, missed;

static void *scan(void *unused)
{
    pthread_mutex_lock(&lock);
    int begin = first;
    missed |= first != begin;
    cursor = 1;
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
