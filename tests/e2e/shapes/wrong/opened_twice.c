/* SPDX-License-Identifier: MIT */
/* Two threads see that nobody has opened it, and both do. To look at the state once more in the end
 * changes nothing. finds: open_it; one entry */
#include <pthread.h>
#include <stdatomic.h>

enum { NEW, OPENING, OPEN };
static atomic_int state, times;

static int open_it(void)
{
    if (atomic_load(&state) != NEW)
        return 0;
    atomic_store(&state, OPENING);
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
