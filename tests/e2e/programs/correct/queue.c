// SPDX-License-Identifier: MIT
// blocks: markers
// The slot is filled first; one producer, one consumer.
#include "../team.h"
#include <stdatomic.h>
#include <stdio.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

atomic_int tail, slot[8];

void enqueue(int x)
{
    __VERIFIER_atomic_begin();
    slot[tail] = x;
    tail++;
    __VERIFIER_atomic_end();
}

void *produce(void *unused)
{
    for (int i = 1; i <= 3; i++)
        enqueue(i);
    return unused;
}

void *consume(void *sum)
{
    int end = tail;
    for (int i = 0; i < end; i++)
        *(int *)sum += slot[i];
    return NULL;
}

int main(void)
{
    int sum = 0;
    team_of_two(produce, NULL, consume, &sum);
    puts(sum <= 6 ? "fine" : "too much");
}
