// SPDX-License-Identifier: MIT
// blocks: markers
// A structure is copied in two halves.
#include "../team.h"
#include <stdio.h>
#include <string.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

struct date {
    int year, month, day, hour;
} now;

void *set(void *unused)
{
    struct date date = {2024, 2, 29, 12};
    __VERIFIER_atomic_begin();
    memcpy(&now, &date, sizeof date / 2);
    memcpy(&now.day, &date.day, sizeof date / 2);
    __VERIFIER_atomic_end();
    return unused;
}

void *get(void *copy)
{
    *(struct date *)copy = now;
    return NULL;
}

int main(void)
{
    struct date copy;
    team_of_two(set, NULL, get, &copy);
    printf("%d-%d-%d %d\n", now.year, now.month, now.day, now.hour);
}
