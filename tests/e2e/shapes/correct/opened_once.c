/* SPDX-License-Identifier: MIT */
/* The thread that was first opens it. */
#include <pthread.h>
#include <stdatomic.h>

enum { NEW, OPENING, OPEN };
static atomic_int state, times;

static int open_it(void)
{
    int expected = NEW;
    if (!atomic_compare_exchange_strong(&state, &expected, OPENING))
        return 0;
    atomic_fetch_add(&times, 1);
    atomic_store(&state, OPEN);
    return atomic_load(&state) == OPEN;
}

static void *user(void *unused)
{
    return open_it() ? &state : unused;
}

#define THREADS user, user
#include "../start.h"
