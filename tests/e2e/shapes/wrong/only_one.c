/* SPDX-License-Identifier: MIT */
/* The first that comes works, and the others do not: but two may find that nobody has come yet.
 * finds: enter */
#include <pthread.h>

static volatile int has_come;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int worked;

static void enter(void)
{
    if (!has_come) {
        has_come = 1;
        pthread_mutex_lock(&lock);
        worked++;
        pthread_mutex_unlock(&lock);
    }
}

static void *come(void *unused)
{
    enter();
    enter();
    return unused;
}

#define THREADS come, come
#define CORRECT worked == 1
#include "../start.h"
