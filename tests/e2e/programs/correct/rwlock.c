// SPDX-License-Identifier: MIT
// blocks: range
// Two values are read under the reader's lock, both at once.
#include "../team.h"
#include <stdio.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int low, high = 10;

void move(int by)
{
    pthread_rwlock_wrlock(&l);
    high += by;
    low += by;
    pthread_rwlock_unlock(&l);
}

int range(void)
{
    pthread_rwlock_rdlock(&l);
    int range = high - low;
    pthread_rwlock_unlock(&l);
    return range;
}

void *run(void *by)
{
    move(*(int *)by);
    return range() == 10 ? NULL : by;
}

int main(void)
{
    team_of(2, run, (int[]){5, 7});
    printf("from %d to %d\n", low, high);
}
