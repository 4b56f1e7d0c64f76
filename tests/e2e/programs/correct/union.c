// SPDX-License-Identifier: MIT
// blocks: set
// A long is written and read at once, though others see it as two ints.
#include "../team.h"
#include <stdatomic.h>
#include <stdio.h>

union number {
    int half[2];
    long whole;
};
_Atomic long shared;

void set(int low, int high)
{
    union number number = {.half = {low, high}};
    atomic_store(&shared, number.whole);
}

void *write_whole(void *unused)
{
    set(1, 2);
    return unused;
}

void *read_whole(void *sum)
{
    union number number = {.whole = atomic_load(&shared)};
    *(int *)sum = number.half[0] + number.half[1];
    return NULL;
}

int main(void)
{
    int sum = 0;
    team_of_two(write_whole, NULL, read_whole, &sum);
    puts(sum == 0 || sum == 3 ? "none or all" : "half");
}
