// SPDX-License-Identifier: MIT
// blocks: range
// Two values are read under the reader's lock, one at a time.
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

int get(int *value)
{
    pthread_rwlock_rdlock(&l);
    int copy = *value;
    pthread_rwlock_unlock(&l);
    return copy;
}

void *range(void *by)
{
    return get(&high) - get(&low) == 10 ? NULL : by;
}

void *run(void *by)
{
    move(*(int *)by);
    return range(by);
}

int main(void)
{
    team_of(2, run, (int[]){5, 7});
    printf("from %d to %d\n", low, high);
}
