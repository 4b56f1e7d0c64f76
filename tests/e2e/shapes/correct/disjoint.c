/* SPDX-License-Identifier: MIT */
/* One lock for two things, each of which belongs to one thread. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left_hand[2], right_hand[2];

static void use(int *hand)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        hand[0]++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        hand[1] = hand[0];
        pthread_mutex_unlock(&lock);
    }
}

static void *left(void *unused)
{
    use(left_hand);
    return unused;
}

static void *right(void *unused)
{
    use(right_hand);
    return unused;
}

#define THREADS left, right
#define CORRECT left_hand[1] == 2 && right_hand[1] == 2
#include "../start.h"
