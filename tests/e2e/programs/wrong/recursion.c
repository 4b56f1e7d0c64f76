// SPDX-License-Identifier: MIT
// blocks: sum_list
// A list is walked by recursion, with one critical section for each node.
#include "../team.h"
#include <stdio.h>

typedef struct node {
    struct node *next;
    int value;
} node;

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
node list[3] = {{&list[1], 1}, {&list[2], 2}, {NULL, 3}};

int sum_list(node *n)
{
    pthread_mutex_lock(&m);
    int value = n->value;
    node *next = n->next;
    pthread_mutex_unlock(&m);
    return next ? value + sum_list(next) : value;
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
