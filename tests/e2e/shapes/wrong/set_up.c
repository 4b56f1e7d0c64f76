/* SPDX-License-Identifier: MIT */
/* What is set up by the first that needs it is set up by two, in all its parts: one mistake.
 * finds: set_up; one entry */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_ready;
static int *primes, times, sum;

static void set_up(void)
{
    primes = malloc(2 * sizeof *primes);
    primes[0] = 2;
    primes[1] = 3;
    times++;
}

static int prime(int i)
{
    if (!atomic_load(&is_ready)) {
        set_up();
        atomic_store(&is_ready, 1);
    }
    return primes[i];
}

static void *user(void *unused)
{
    int found = prime(1);
    pthread_mutex_lock(&lock);
    sum += found;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS user, user
#define CORRECT (times == 1 && sum == 6)
#include "../start.h"
