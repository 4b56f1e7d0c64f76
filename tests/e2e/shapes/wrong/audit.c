/* SPDX-License-Identifier: MIT */
/* The auditor expects the wrong sum, which shows only if it comes last; and main does not await
 * anybody. finds: The program fails */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 5, came, went;

static void *auditor(void *unused)
{
    pthread_mutex_lock(&lock);
    if (came && went)
        assert(stock == 5);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *supplier(void *unused)
{
    pthread_mutex_lock(&lock);
    stock += 3;
    came = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *customer(void *unused)
{
    pthread_mutex_lock(&lock);
    stock -= 2;
    went = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS auditor, supplier, customer
#define ENDS_EARLY
#include "../start.h"
