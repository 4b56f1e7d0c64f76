// SPDX-License-Identifier: MIT
// blocks: check
// A token goes round three variables; the observer looks at them one by one.
#include "../team.h"
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ring[3];

int get(int i)
{
    pthread_mutex_lock(&m);
    i = ring[i];
    pthread_mutex_unlock(&m);
    return i;
}

void pass(int i)
{
    pthread_mutex_lock(&m);
    ring[i] = ring[(i + 2) % 3] + 1;
    pthread_mutex_unlock(&m);
}

void *run(void *unused)
{
    pass(0), pass(1), pass(2);
    return unused;
}

void *check(void *sum)
{
    *(int *)sum = get(0) + get(1) + get(2);
    return NULL;
}

int main(void)
{
    team_of_two(check, &(int){0}, run, NULL);
    printf("%d\n", ring[2]);
}
