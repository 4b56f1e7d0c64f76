/* SPDX-License-Identifier: MIT */
/* Lamport's fast mutex of atomic variables. Who was not the last to come does not look whether
 * another one has it.
 * finds: an assignment in worker; one entry */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { COUNT = 2 };
static atomic_int x, y, wants[COUNT + 1];
static int counter;

static void enter(int me)
{
again:
    atomic_store(&wants[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) != 0) {
        atomic_store(&wants[me], 0);
        while (atomic_load(&y) != 0)
            sched_yield();
        goto again;
    }
    atomic_store(&y, me);
    if (atomic_load(&x) == me)
        return;
    atomic_store(&wants[me], 0);
    for (int i = 1; i <= COUNT; i++)
        while (atomic_load(&wants[i]))
            sched_yield();
}

static void leave(int me)
{
    atomic_store(&y, 0);
    atomic_store(&wants[me], 0);
}

static void *worker(void *unused)
{
    static atomic_int last;
    int me = atomic_fetch_add(&last, 1) + 1;
    for (int i = 0; i < 2; i++) {
        enter(me);
        counter++;
        leave(me);
    }
    return unused;
}

#define THREADS worker, worker
#include "../start.h"
