/* SPDX-License-Identifier: MIT */
/* Each of two threads goes one further than the other one is. The top is reached only if they take
 * turns all the way. finds: a block in climb; one entry */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

enum { ROUNDS = 6, TOP = 2 * ROUNDS };

static void *climb_left(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        left = right + 1;
        assert(left < TOP);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *climb_right(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        right = left + 1;
        assert(right < TOP);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS climb_left, climb_right
#include "../start.h"
