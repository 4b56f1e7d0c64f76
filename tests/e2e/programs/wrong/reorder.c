// SPDX-License-Identifier: MIT
// blocks: set, check
// Two variables are set one after the other, without any lock.
#include "../team.h"
#include <stdio.h>

volatile int a, b;

void set(void)
{
    a = 1;
    b = -1;
}

int check(void)
{
    int x = a, y = b;
    return x + y == 0;
}

void *setter(void *unused)
{
    set();
    return unused;
}

void *checker(void *well)
{
    *(int *)well = check();
    return NULL;
}

int main(void)
{
    int well;
    team_of_two(setter, NULL, checker, &well);
    printf("%d %d\n", a, b);
}
