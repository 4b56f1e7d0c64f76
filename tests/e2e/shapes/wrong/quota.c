/* SPDX-License-Identifier: MIT */
/* The quota is checked and then taken from, both atomically, but not together.
 * finds: a block in client */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int quota = 3;

static void *client(void *unused)
{
    for (int i = 0; i < 3; i++) {
        if (atomic_load(&quota) > 0)
            atomic_fetch_sub(&quota, 1);
    }
    return unused;
}

#define THREADS client, client
#include "../start.h"
