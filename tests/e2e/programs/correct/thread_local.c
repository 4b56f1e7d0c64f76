// SPDX-License-Identifier: MIT
// blocks: functions
// Each thread counts for itself; what is thread-local needs no lock.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Thread_local int mine;
int all;

void count(int n)
{
    for (int i = 0; i < n; i++)
        mine++;
}

void give(void)
{
    pthread_mutex_lock(&m);
    all += mine;
    mine = 0;
    pthread_mutex_unlock(&m);
}

void *run(void *n)
{
    count(*(int *)n);
    give();
    return NULL;
}

int main(void)
{
    int n[] = {1, 2, 3};
    team_of(3, run, n);
    printf("all %d, main %d\n", all, mine);
}
