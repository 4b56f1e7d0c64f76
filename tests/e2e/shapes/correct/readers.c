/* SPDX-License-Identifier: MIT */
/* A lock for readers and writers made of an atomic variable. A reader looks for writers that are
 * inside or wait; what it adds to the variable tells it only about those that are inside. A writer
 * that finds others inside marks that it waits, also if they have left meanwhile. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WRITER = 1, WAITS = 2, READER = 4 };
static atomic_long state;
static int data, seen;

static void lock_shared(void)
{
    for (;; sched_yield()) {
        if (atomic_load(&state) & (WRITER | WAITS))
            continue;
        if (!(atomic_fetch_add(&state, READER) & WRITER))
            return;
        atomic_fetch_sub(&state, READER);
    }
}

static void lock(void)
{
    for (;; sched_yield()) {
        long now = atomic_load(&state);
        if (!(now & ~WAITS)) {
            if (atomic_compare_exchange_strong(&state, &now, WRITER))
                return;
        } else if (!(now & WAITS)) {
            atomic_fetch_or(&state, WAITS);
        }
    }
}

static void *reader(void *unused)
{
    for (int i = 0; i < 2; i++) {
        lock_shared();
        seen = data >= 0 ? 1 : 0;
        atomic_fetch_sub(&state, READER);
    }
    return unused;
}

static void *writer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        lock();
        data++;
        atomic_fetch_and(&state, ~(long)(WRITER | WAITS));
    }
    return unused;
}

#define THREADS reader, writer, writer
#define CORRECT data == 4
#include "../start.h"
