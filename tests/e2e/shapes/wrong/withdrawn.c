/* SPDX-License-Identifier: MIT */
/* Withdraws what another thread uses, which may come too early or too late.
 * finds: withdraw; one entry for the use after free and the null pointer */
#include <pthread.h>
#include <stdlib.h>

static int initial[4], sum;
static int *shared = initial;

static void *withdraw(void *unused)
{
    int *mine = malloc(sizeof *mine);
    __atomic_store_n(mine, 3, __ATOMIC_SEQ_CST);
    shared = mine;
    free(shared);
    shared = NULL;
    return unused;
}

static void *use(void *unused)
{
    sum += *shared;
    return unused;
}

#define THREADS use, withdraw
#include "../start.h"
