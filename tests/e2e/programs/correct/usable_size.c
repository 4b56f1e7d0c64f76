// SPDX-License-Identifier: MIT
// blocks: take
// Blocks are used up to malloc_usable_size, behind what was asked for. These bytes were an earlier
// block's, which was freed; nobody uses memory that is freed.
#include "../team.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long sum;

void take(size_t size, int value)
{
    pthread_mutex_lock(&m);
    char *block = malloc(size);
    size_t usable = malloc_usable_size(block);
    block[usable - 1] = (char)value;
    block[usable - 9] = (char)value;
    sum += block[usable - 1] + block[usable - 9];
    free(block);
    pthread_mutex_unlock(&m);
}

void *work(void *unused)
{
    take(40, 1);
    take(25, 2); // usable: 40, of the same place
    return unused;
}

int main(void)
{
    team_of_two(work, NULL, work, NULL);
    printf("%ld\n", sum);
}
