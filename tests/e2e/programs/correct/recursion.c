// SPDX-License-Identifier: MIT
// blocks: sum_list
// flags: -D_GNU_SOURCE
// A list is walked by recursion under a recursive lock.
#include "../team.h"
#include <stdio.h>

typedef struct node {
    struct node *next;
    int value;
} node;

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
node list[3] = {{&list[1], 1}, {&list[2], 2}, {NULL, 3}};

int sum_list(node *n)
{
    pthread_mutex_lock(&m);
    int sum = n->value + (n->next ? sum_list(n->next) : 0);
    pthread_mutex_unlock(&m);
    return sum;
}

void *run(void *x)
{
    pthread_mutex_lock(&m);
    for (node *n = list; n; n = n->next)
        n->value = *(int *)x;
    pthread_mutex_unlock(&m);
    return sum_list(list) == 3 * *(int *)x ? NULL : x;
}

int main(void)
{
    int x[] = {10, 20};
    team_of(2, run, x);
    puts(list[0].value == list[2].value ? "alike" : "different");
}
