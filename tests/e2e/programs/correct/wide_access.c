// SPDX-License-Identifier: MIT
// blocks: markers
// Both halves are written by one access, and read by one: nobody comes between.
#include "../team.h"
#include <stdio.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

typedef long long wide __attribute__((vector_size(16)));

union {
    wide both;
    long long half[2];
} pair;

void *set(void *unused)
{
    pair.both = (wide){5, 5};
    return unused;
}

void *get(void *copy)
{
    __VERIFIER_atomic_begin();
    wide seen = pair.both;
    __VERIFIER_atomic_end();
    *(long long *)copy = seen[0] - seen[1];
    return NULL;
}

int main(void)
{
    long long difference;
    team_of_two(set, NULL, get, &difference);
    printf("%lld, %lld %lld\n", difference, pair.half[0], pair.half[1]);
}
