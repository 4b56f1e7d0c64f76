// SPDX-License-Identifier: MIT
// blocks: oldest
// The oldest element of a ring is found in one critical section and read in another.
#include "../team.h"
#include <stdio.h>

enum { SIZE = 2 };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ring[SIZE], first, next;

void insert(int x)
{
    pthread_mutex_lock(&m);
    first = next < SIZE ? 0 : next + 1 - SIZE;
    ring[next++ % SIZE] = x;
    pthread_mutex_unlock(&m);
}

int oldest(void)
{
    pthread_mutex_lock(&m);
    int at = first % SIZE;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    at = ring[at];
    pthread_mutex_unlock(&m);
    return at;
}

void *run(void *x)
{
    insert(1), insert(2), insert(3);
    return oldest() > 0 ? x : NULL;
}

int main(void)
{
    team_of(2, run, ring);
    printf("%d inserted\n", next);
}
