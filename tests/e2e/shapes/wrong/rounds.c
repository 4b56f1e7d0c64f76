/* SPDX-License-Identifier: MIT */
/* The consumer counts its rounds, and not what it has got: it fails if nothing was there in its
 * first round. finds: The program fails */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int full, parcel;

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        if (!full) {
            parcel = i;
            full = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        if (full) {
            assert(parcel == i);
            full = 0;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS producer, consumer
#define ENDS_EARLY
#include "../start.h"
