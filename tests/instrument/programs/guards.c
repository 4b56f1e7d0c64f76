/* SPDX-License-Identifier: MIT */
/* What the value of a read decides: guards (contract/guards.def). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

volatile int from = 3, to;
volatile unsigned bits = 5;
volatile long large = 7;
volatile bool is_set = true;
int *volatile place = (int *)&to;
volatile int table[8];

static void branches(void)
{
    if (from > 0) /* LOG: guards of from in branches: v,0,sgt32$ */
        to = 1;
    if (is_set) /* LOG: guards of is_set in branches: v,trunc1$ */
        to = 2;
    if (place) /* LOG: guards of place in branches: v,0,ne64$ */
        to = 3;
    if (large * 2 - 1 == 13) /* LOG: guards of large in branches: v,2,mul64,1,sub64,13,eq64$ */
        to = 4;
}

static void two_of_one_value(void)
{
    int mine =
        from; /* LOG: guards of from in two_of_one_value: v,(9,slt32;v,0,sgt32|0,sgt32;v,9,slt32)$ */
    if (mine > 0 && mine < 9)
        to = 1;
}

static void cases(void)
{
    switch (bits) { /* LOG: guards of bits in cases: v,1,eq32;v,5,eq32$ */
    case 1:
        to = 1;
        break;
    case 5:
        to = 2;
    }
}

/* Only the last bits decide which element it is. */
static void parts(void)
{
    table[bits & 3] = 1; /* LOG: guards of bits in parts: v,3,and32$ */
}

/* A value as it is, or from which it can be computed, has no guards: only an equal one is as good.
 */
static void as_it_is(void)
{
    table[from] = 1; /* NOT: guards of .* in as_it_is */
    printf("%d\n", from);
    *place = 1;
}

/* Values that are stored: the load has a key, by which the store names it. */
static void stored(void)
{
    to = from + 1;     /* LOG: guards of from in stored: @[0-9]+$ */
    int mine = bits;   /* LOG: guards of to in stored: @[0-9]+,1,add32$ */
    if (mine > 0)      /* LOG: guards of bits in stored: @[0-9]+;v,0,sgt32$ */
        to = mine ^ 5; /* LOG: guards of to in stored: @[0-9]+,5,xor32$ */
}

/* Over two loads: both have the guard. */
static void several(void)
{
    if (from > to) /* LOG: guards of from in several: @[0-9]+;@[0-9]+,@[0-9]+,s[gl]t32$ */
        bits = 2;  /* LOG: guards of to in several: @[0-9]+;@[0-9]+,@[0-9]+,s[gl]t32$ */
}

/* The last read with that key may be another call's. */
__attribute__((noinline)) static int again(int depth)
{
    int mine = from; /* NOT: guards of .* in again: @ */
    int sum = depth > 0 ? again(depth - 1) : 0;
    to = mine + 1;
    return sum + 1;
}

/* Nor is one of two values. */
static void either(void)
{
    int mine = from; /* NOT: guards of .* in either: @ */
    if (large > 0)
        mine = (int)bits;
    to = mine;
}

/* Outside code gets only this much of it. */
static void arguments(void)
{
    printf("%d\n", from > 2); /* LOG: guards of from in arguments: v,2,sgt32(,trunc8)?(;.*)?$ */
}

/* From function to function. */
static int get(void)
{
    return from + 2; /* LOG: guards of from in get: v,2,add32,3,sgt32$ */
}

static void decide(int value)
{
    if (value == 4)
        to = 3;
}

static void functions(void)
{
    if (get() > 3)
        to = 1;
    decide(from); /* LOG: guards of from in functions: v,4,eq32$ */
}

/* With a parameter: its value is passed before the load. */
__attribute__((noinline)) static void parameters(int least, long other)
{
    if (from > least)       /* LOG: guards of from in parameters: v,p,sgt32$ */
        to = 1;             /* LOG: operand 2 of parameters$ */
    if (large == other + 1) /* LOG: guards of large in parameters: v,p,1,add64,eq64$ */
        to = 2;
}

/* Not with two of them. */
__attribute__((noinline)) static void too_many(int a, int b)
{
    int mine = from; /* NOT: guards of .* in too_many */
    if (mine > a && mine < b)
        to = 1;
}

int main(void)
{
    parameters(2, 5);
    too_many(1, 9);
    functions();
    branches();
    two_of_one_value();
    cases();
    parts();
    as_it_is();
    stored();
    several();
    again(1);
    either();
    arguments();
    return to;
}
