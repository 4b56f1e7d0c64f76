// SPDX-License-Identifier: MIT
// blocks: push_and_peek
// What was pushed is looked at in the same critical section.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stack[16], top;

void push(int x)
{
    stack[top++] = x;
}

int peek(void)
{
    return stack[top - 1];
}

void *push_and_peek(void *x)
{
    pthread_mutex_lock(&m);
    push(*(int *)x);
    int same = peek() == *(int *)x;
    pthread_mutex_unlock(&m);
    return same ? NULL : x;
}

int main(void)
{
    int x[] = {1, 2};
    team_of(2, push_and_peek, x);
    printf("%d pushed\n", top);
}
