/* SPDX-License-Identifier: MIT */
/* Each round reads the balance in one critical section and writes it in another.
 * finds: a block in teller */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void *teller(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        long seen = balance;
        pthread_mutex_unlock(&lock);
        seen += 10;
        pthread_mutex_lock(&lock);
        balance = seen;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS teller, teller
#include "../start.h"
