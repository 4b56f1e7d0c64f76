/* SPDX-License-Identifier: MIT */
/* The check before is a hint: it is made again where the ticket is sold. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1;

static void *clerk(void *unused)
{
    pthread_mutex_lock(&lock);
    int any = tickets > 0;
    pthread_mutex_unlock(&lock);
    if (any) {
        pthread_mutex_lock(&lock);
        if (tickets > 0)
            tickets--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS clerk, clerk
#define CORRECT tickets == 0
#include "../start.h"
