// SPDX-License-Identifier: MIT
// blocks: drop_locked, drop_counted
// The last of two threads that let the object go frees it: one under a lock, one by a counter that
// only atomic operations change.
#include "../team.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    int a, b;
    atomic_int users;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct item *locked, *counted;

void drop_locked(void)
{
    pthread_mutex_lock(&m);
    if (locked)
        locked->b = locked->a + 1;
    free(locked);
    locked = NULL;
    pthread_mutex_unlock(&m);
}

void drop_counted(struct item *p)
{
    if (atomic_fetch_sub(&p->users, 1) == 1)
        free(p);
}

void *use(void *unused)
{
    drop_locked();
    int seen = counted->a;
    drop_counted(counted);
    return seen ? NULL : unused;
}

int main(void)
{
    locked = calloc(1, sizeof *locked);
    counted = calloc(1, sizeof *counted);
    counted->a = 1;
    counted->users = 2;
    team_of_two(use, NULL, use, NULL);
    printf("done\n");
}
