/* SPDX-License-Identifier: MIT */
/* Each round has three critical sections that have nothing to do with each other. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance, customers;

static void *teller(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        balance += 10;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        customers++;
        if (balance > 1000)
            customers = 0;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        balance -= 5;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS teller, teller
#define CORRECT balance == 30 && customers == 6
#include "../start.h"
