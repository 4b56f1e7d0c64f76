/* SPDX-License-Identifier: MIT */
/* As long as there is work, threads take some of a stack without locks, and count it: who was too
 * slow notices at the stack. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct item {
    struct item *next;
} items[4];
static struct item *_Atomic top;
static atomic_int left = 4;

static struct item *take(void)
{
    struct item *found = atomic_load(&top);
    while (found && !atomic_compare_exchange_weak(&top, &found, found->next))
        ;
    return found;
}

static void *work(void *unused)
{
    while (atomic_load(&left) > 0)
        if (take())
            atomic_fetch_sub(&left, 1);
    return unused;
}

__attribute__((constructor)) static void fill(void)
{
    for (int i = 0; i < 4; i++) {
        items[i].next = top;
        top = &items[i];
    }
}

#define THREADS work, work
#define CORRECT (left == 0)
#include "../start.h"
