/* SPDX-License-Identifier: MIT */
/* Checked and taken in one step. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int quota = 3;

static void *client(void *unused)
{
    for (int i = 0; i < 3; i++) {
        int left = atomic_load(&quota);
        while (left > 0 && !atomic_compare_exchange_weak(&quota, &left, left - 1))
            ;
    }
    return unused;
}

#define THREADS client, client
#define CORRECT quota == 0
#include "../start.h"
