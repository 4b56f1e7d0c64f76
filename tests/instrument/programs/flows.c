/* SPDX-License-Identifier: MIT */
/* Which reads are data only: what they read reaches nothing but values that are stored. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int from = 3, to;
int *volatile place = (int *)&to;
_Atomic int atom;
volatile int table[8];

static int plain(void)
{
    to = from; /* NOT: load4 from in plain at .*[0-9]$ */
    to = from * 2 + (from >> 1);
    to = from / 3;
    to = from == 3;
    return 0;
}

static void branches(void)
{
    if (from) /* NOT: load4 from in branches at .* data */
        to = 1;
    to = from > 2 ? 5 : 6;
    switch (from) {
    case 3:
        to = 2;
    }
}

static void through_a_local(int n)
{
    int mine = from, other = n; /* LOG: load4 from in through_a_local at .* data$ */
    other += mine;
    to = other;
}

static void a_local_that_decides(void)
{
    int mine = from; /* NOT: load4 from in a_local_that_decides at .* data */
    to = mine;
    if (mine > 100)
        to = 0;
}

static void addresses(void)
{
    *place = 4;       /* NOT: load8 place in addresses at .* data */
    to = table[from]; /* NOT: load4 from in addresses at .* data */
}

static void a_pointer_is_copied(void)
{
    int *volatile copy = place; /* LOG: load8 place in a_pointer_is_copied at .* data$ */
    place = copy;
}

static void divisors(void)
{
    to = 12 / from; /* NOT: load4 from in divisors at .* data */
    to = from % to; /* NOT: load4 to in divisors at .* data */
}

static void lengths(char *buffer)
{
    memset(buffer, 0, (size_t)from); /* NOT: load4 from in lengths at .* data */
}

static void code_outside(void)
{
    printf("%d\n", from); /* NOT: load4 from in code_outside at .* data */
    to = abs(from + (int)strlen("x"));
}

/* The value is an argument of a function that stores it, and of one that looks at it. */
__attribute__((noinline)) static void put(int value)
{
    to = value;
}

__attribute__((noinline)) static void put_if(int value)
{
    if (value > 0)
        to = value;
}

static void arguments(void)
{
    put(from + 1); /* LOG: load4 from in arguments at .* data$ */
}

static void arguments_that_decide(void)
{
    put_if(from); /* NOT: in arguments_that_decide at .* data */
}

/* Others may call it, and do what they want with the result. */
__attribute__((noinline)) int get(void)
{
    to = 1;
    return from; /* LOG: load4 from in get at .* data$ */
}

__attribute__((noinline)) int get_and_tell(void)
{
    to = 1;
    return from; /* NOT: load4 from in get_and_tell at .* data */
}

static void results(void)
{
    put(get() + 1);
    if (get_and_tell() > 100)
        to = 7;
}

static void updates(void)
{
    atom += 2;                     /* LOG: ^rmw4 atom in updates at .* data modifies$ */
    atomic_store(&atom, atom + 1); /* LOG: ^atomic_load4 atom in updates at .* data$ */
    atomic_fetch_xor(&atom, from); /* LOG: ^load4 from in updates at .* data$ */
}

static void updates_that_decide(void)
{
    int old = atomic_fetch_add(&atom,
                               1); /* LOG: ^rmw4 atom in updates_that_decide at .*[0-9] modifies$ */
    if (old > 1000)
        to = old;
}

static void comparisons(void)
{
    int expected = from; /* NOT: load4 from in comparisons at .* data */
    atomic_compare_exchange_strong(&atom, &expected, 3); /* NOT: in comparisons at .* modifies */
}

int main(void)
{
    char buffer[16];
    plain();
    branches();
    through_a_local(3);
    a_local_that_decides();
    addresses();
    a_pointer_is_copied();
    divisors();
    lengths(buffer);
    code_outside();
    arguments();
    arguments_that_decide();
    results();
    updates();
    updates_that_decide();
    comparisons();
    printf("%d %d\n", to, atom);
    return 0;
}
