/* SPDX-License-Identifier: MIT */
/* What is read decides something, but not whether the second critical section is entered. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, highest;

static void *pump(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (level > highest)
            highest = level;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        level++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS pump, pump
#define CORRECT level == 6 && highest < 6
#include "../start.h"
