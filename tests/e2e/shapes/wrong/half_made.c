/* SPDX-License-Identifier: MIT */
/* Is said to be made before it is, so that others find nothing. finds: make_table; one entry
 * with the signal that ends the run in between */
#include <pthread.h>
#include <stdlib.h>

static int is_made, sum, *table;

static void make_table(void)
{
    if (is_made)
        return;
    is_made = 1;
    table = malloc(4 * sizeof *table);
    for (int i = 0; i < 4; i++)
        table[i] = i * i;
}

static void *user(void *unused)
{
    make_table();
    __atomic_fetch_add(&sum, table[3], __ATOMIC_SEQ_CST);
    return unused;
}

#define THREADS user, user
#include "../start.h"
