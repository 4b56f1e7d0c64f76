/* SPDX-License-Identifier: MIT */
/* A flag without a lock, set to 1 and then to 2: a function looks at it again and again, and keeps
 * nothing of what it saw. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static int sent;

static int push(int count)
{
    int done = 0;
    while (done < count && stop == 0) {
        pthread_mutex_lock(&lock);
        sent++;
        pthread_mutex_unlock(&lock);
        if (stop != 0)
            return done;
        done++;
    }
    return done;
}

static void *sender(void *unused)
{
    push(3);
    push(2);
    return unused;
}

static void *owner(void *unused)
{
    stop = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    stop = 2;
    return unused;
}

#define THREADS sender, owner
#define CORRECT sent <= 5
#include "../start.h"
