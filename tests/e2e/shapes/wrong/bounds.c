/* SPDX-License-Identifier: MIT */
/* Each bound is checked against the other one, under two locks: both may move at once. No variable
 * is overwritten, only the exit status tells.
 * finds: set */
#include <pthread.h>

static pthread_mutex_t low_lock = PTHREAD_MUTEX_INITIALIZER, high_lock = PTHREAD_MUTEX_INITIALIZER;
static int low = 0, high = 10;

static int get(pthread_mutex_t *lock, const int *bound)
{
    pthread_mutex_lock(lock);
    int value = *bound;
    pthread_mutex_unlock(lock);
    return value;
}

static void put(pthread_mutex_t *lock, int *bound, int value)
{
    pthread_mutex_lock(lock);
    *bound = value;
    pthread_mutex_unlock(lock);
}

static void set_low(int value)
{
    if (value <= get(&high_lock, &high))
        put(&low_lock, &low, value);
}

static void set_high(int value)
{
    if (value >= get(&low_lock, &low))
        put(&high_lock, &high, value);
}

static void *raise(void *unused)
{
    set_low(8);
    return unused;
}

static void *reduce(void *unused)
{
    set_high(3);
    return unused;
}

#define THREADS raise, reduce
#define CORRECT (low <= high)
#include "../start.h"
