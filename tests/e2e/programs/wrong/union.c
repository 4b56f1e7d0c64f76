// SPDX-License-Identifier: MIT
// blocks: set
// A long is written as two ints, and read at once.
#include "../team.h"
#include <stdio.h>

volatile union {
    int half[2];
    long whole;
} number;

void set(int low, int high)
{
    number.half[0] = low;
    number.half[1] = high;
}

void *write_halves(void *unused)
{
    set(1, 2);
    return unused;
}

void *read_whole(void *whole)
{
    *(long *)whole = number.whole;
    return NULL;
}

int main(void)
{
    long whole = 0;
    team_of_two(write_halves, NULL, read_whole, &whole);
    printf("%d %d\n", number.half[0], number.half[1]);
}
