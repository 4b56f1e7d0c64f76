// SPDX-License-Identifier: MIT
// blocks: use
// The pointer is read under the lock, but what it points to is used outside, where its owner may
// have freed it.
#include "../team.h"
#include <stdio.h>
#include <stdlib.h>

struct item {
    long unused[2]; // where malloc keeps its lists when the item is free
    int a, b;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct item *shared;

void *use(void *unused)
{
    pthread_mutex_lock(&m);
    struct item *p = shared;
    pthread_mutex_unlock(&m);
    if (p)
        p->b = p->a + 1;
    return unused;
}

void *drop(void *unused)
{
    pthread_mutex_lock(&m);
    struct item *p = shared;
    shared = NULL;
    pthread_mutex_unlock(&m);
    free(p);
    return unused;
}

int main(void)
{
    shared = calloc(1, sizeof *shared);
    shared->a = 1;
    team_of_two(use, NULL, drop, NULL);
    printf("done\n");
}
