// SPDX-License-Identifier: MIT
// blocks: markers
// Both halves are read by one access, which may come between the writes of the two: it
// sees the second half new, and the first one old.
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
    __VERIFIER_atomic_begin();
    pair.half[1] = 5;
    pair.half[0] = 5;
    __VERIFIER_atomic_end();
    return unused;
}

void *get(void *copy)
{
    *(wide *)copy = pair.both;
    return NULL;
}

int main(void)
{
    wide copy;
    team_of_two(set, NULL, get, &copy);
    printf("%lld %lld\n", pair.half[0], pair.half[1]);
}
