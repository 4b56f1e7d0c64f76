/* SPDX-License-Identifier: MIT */
/* What is not ready is made ready, by both. finds: a block in user */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, prepared;

static void *user(void *unused)
{
    pthread_mutex_lock(&lock);
    int is_ready = ready;
    pthread_mutex_unlock(&lock);
    if (is_ready)
        return unused;
    pthread_mutex_lock(&lock);
    prepared++;
    ready = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS user, user
#include "../start.h"
