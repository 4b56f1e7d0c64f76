/* SPDX-License-Identifier: MIT */
/* Others find the table when it has its cells. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int *cells;
};

static _Atomic(struct table *) shared;

static void build(void)
{
    struct table *made = calloc(1, sizeof *made);
    made->cells = calloc(4, sizeof *made->cells);
    atomic_store(&shared, made);
}

static void *builder(void *unused)
{
    build();
    return unused;
}

static void *reader(void *unused)
{
    struct table *found = atomic_load(&shared);
    return found && found->cells[0] ? &shared : unused;
}

#define THREADS builder, reader
#include "../start.h"
