/* SPDX-License-Identifier: MIT */
/* A sequence lock: who reads looks at the version first, and reads again if it has changed or is
 * odd. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint version;
static atomic_int low, high, torn;

static void *write_pairs(void *unused)
{
    for (int i = 1; i < 4; i++) {
        pthread_mutex_lock(&writers);
        atomic_fetch_add(&version, 1);
        atomic_store(&low, i);
        atomic_store(&high, i);
        atomic_fetch_add(&version, 1);
        pthread_mutex_unlock(&writers);
    }
    return unused;
}

static void *read_pair(void *unused)
{
    unsigned before;
    int one, other;
    do {
        before = atomic_load(&version);
        one = atomic_load(&low);
        other = atomic_load(&high);
    } while (before & 1 || before != atomic_load(&version));
    if (one != other)
        atomic_store(&torn, 1);
    return unused;
}

#define THREADS write_pairs, read_pair
#define CORRECT !torn
#include "../start.h"
