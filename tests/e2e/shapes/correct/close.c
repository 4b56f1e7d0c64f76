/* SPDX-License-Identifier: MIT */
/* The thread that a function joins comes in between, and is meant to, also if somebody says that
 * the function is atomic. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop, rounds;
static pthread_t worker;

static int may_go_on(void)
{
    pthread_mutex_lock(&lock);
    int goes_on = !stop && rounds++ < 20;
    pthread_mutex_unlock(&lock);
    return goes_on;
}

static void *work(void *unused)
{
    while (may_go_on())
        ;
    return unused;
}

static void close_down(void)
{
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
}

static void *owner(void *unused)
{
    pthread_create(&worker, NULL, work, NULL);
    close_down();
    return unused;
}

#define THREADS owner
#include "../start.h"
