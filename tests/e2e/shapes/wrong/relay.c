/* SPDX-License-Identifier: MIT */
/* Three runners hand a number on, each by itself without a mistake; in one of their orders it does
 * not come through. finds: The program fails */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first = 1, second, third, runs;

static void hand_on(int *to, const int *from)
{
    pthread_mutex_lock(&lock);
    *to = *from;
    if (++runs == 3)
        assert(third == 0 || third == first);
    pthread_mutex_unlock(&lock);
}

static void *starter(void *unused)
{
    static const int number = 7;
    hand_on(&first, &number);
    return unused;
}

static void *runner(void *unused)
{
    hand_on(&second, &first);
    return unused;
}

static void *finisher(void *unused)
{
    hand_on(&third, &second);
    return unused;
}

#define THREADS starter, runner, finisher
#include "../start.h"
