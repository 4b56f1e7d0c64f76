/* SPDX-License-Identifier: MIT */
/* Mutual exclusion of plain variables, which says too late that it wants to enter.
 * finds: work */
#include <pthread.h>

static int wants[2], turn, total;

__attribute__((noinline)) static void enter(int me)
{
    while (wants[1 - me] && turn == 1 - me)
        ;
    wants[me] = 1;
    turn = 1 - me;
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
