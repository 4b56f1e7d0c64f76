/* SPDX-License-Identifier: MIT */
/* A ticket is read and then set: two threads may have the same. finds: lock_it */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static int total;

static void lock_it(void)
{
    int mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
    while (atomic_load(&now_serving) < mine)
        sched_yield();
}

static void unlock_it(void)
{
    atomic_fetch_add(&now_serving, 1);
}

static void *worker(void *unused)
{
    lock_it();
    total++;
    unlock_it();
    return unused;
}

#define THREADS worker, worker
#include "../start.h"
