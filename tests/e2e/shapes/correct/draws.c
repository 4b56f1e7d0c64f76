/* SPDX-License-Identifier: MIT */
/* Numbers are drawn in a loop, each in a critical section: who gets which is left to chance, and
 * printed. */
#include <pthread.h>
#include <stdio.h>

enum { DRAWS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next = 1, drawn[2][DRAWS];

static void draw(int *numbers)
{
    for (int i = 0; i < DRAWS; i++) {
        pthread_mutex_lock(&lock);
        numbers[i] = next++;
        pthread_mutex_unlock(&lock);
    }
}

static void *draw_first(void *unused)
{
    draw(drawn[0]);
    return unused;
}

static void *draw_second(void *unused)
{
    draw(drawn[1]);
    return unused;
}

#define THREADS draw_first, draw_second
#define CORRECT printf("%d %d\n", drawn[0][0], drawn[0][1])
#include "../start.h"
