/* SPDX-License-Identifier: MIT */
/* The sum is right in every order, whichever thread gets a turn before the end. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 5, came, went;

static void *auditor(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(stock == 5 + 3 * came - 2 * went);
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
