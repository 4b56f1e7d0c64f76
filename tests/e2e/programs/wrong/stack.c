// SPDX-License-Identifier: MIT
// blocks: push_and_peek
// What was pushed is looked at in a second critical section.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stack[16], top;

void push(int x)
{
    pthread_mutex_lock(&m);
    stack[top++] = x;
    pthread_mutex_unlock(&m);
}

int peek(void)
{
    pthread_mutex_lock(&m);
    int x = stack[top - 1];
    pthread_mutex_unlock(&m);
    return x;
}

void *push_and_peek(void *x)
{
    push(*(int *)x);
    return peek() == *(int *)x ? NULL : x;
}

int main(void)
{
    int x[] = {1, 2};
    team_of(2, push_and_peek, x);
    printf("%d pushed\n", top);
}
