// SPDX-License-Identifier: MIT
// blocks: stages, look
// The second value follows the first, but each has a lock of its own.
#include "../team.h"
#include <stdio.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void stages(int x)
{
    pthread_mutex_lock(&a);
    first = x;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    second = x + 1;
    pthread_mutex_unlock(&b);
}

int look(void)
{
    pthread_mutex_lock(&a);
    int x = first;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    x = second - x;
    pthread_mutex_unlock(&b);
    return x;
}

void *run(void *x)
{
    stages(*(int *)x);
    return look() == 1 ? NULL : x;
}

int main(void)
{
    team_of(2, run, (int[]){10, 20});
    puts(first + 1 == second ? "well" : "badly");
}
