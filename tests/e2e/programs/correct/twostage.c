// SPDX-License-Identifier: MIT
// blocks: stages, look
// Both locks are taken before either value is touched.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void stages(int x)
{
    pthread_mutex_lock(&a), pthread_mutex_lock(&b);
    first = x;
    second = x + 1;
    pthread_mutex_unlock(&a), pthread_mutex_unlock(&b);
}

int look(void)
{
    pthread_mutex_lock(&a), pthread_mutex_lock(&b);
    int difference = second - first;
    pthread_mutex_unlock(&b), pthread_mutex_unlock(&a);
    return difference;
}

void *run(void *x)
{
    stages(*(int *)x);
    *(int *)x = look();
    return NULL;
}

int main(void)
{
    int x[] = {10, 20};
    team_of(2, run, x);
    printf("%d %d\n", x[0], x[1]);
}
