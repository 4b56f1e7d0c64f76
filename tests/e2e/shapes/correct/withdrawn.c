/* SPDX-License-Identifier: MIT */
/* What is withdrawn under a lock is asked for under it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initial[4], sum;
static int *shared = initial;

static void *withdraw(void *unused)
{
    int *mine = malloc(sizeof *mine);
    pthread_mutex_lock(&lock);
    shared = mine;
    *mine = 3;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *use(void *unused)
{
    pthread_mutex_lock(&lock);
    if (shared)
        sum += *shared;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS use, withdraw
#include "../start.h"
