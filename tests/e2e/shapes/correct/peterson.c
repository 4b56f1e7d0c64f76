/* SPDX-License-Identifier: MIT */
/* Peterson's mutual exclusion, made of plain variables, as textbooks have it: what is looked at in
 * a loop that only looks synchronises threads. */
#include <pthread.h>

static int wants[2], turn, total;

__attribute__((noinline)) static void enter(int me)
{
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
}

static void *work(int me)
{
    for (int i = 0; i < 2; i++) {
        enter(me);
        total = total + 1;
        wants[me] = 0;
    }
    return NULL;
}

static void *first(void *unused)
{
    (void)unused;
    return work(0);
}

static void *second(void *unused)
{
    (void)unused;
    return work(1);
}

#define THREADS first, second
#define CORRECT total == 4
#include "../start.h"
