/* SPDX-License-Identifier: MIT */
/* The last ticket is sold twice: the check and the sale are two critical sections of the thread
 * function itself. finds: a block in clerk */
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
        tickets--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS clerk, clerk
#include "../start.h"
