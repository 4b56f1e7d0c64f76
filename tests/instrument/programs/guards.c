/* SPDX-License-Identifier: MIT */
/* What the value of a read decides: guards (contract/guards.def). */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

volatile int from = 3, to;
volatile unsigned bits = 5;
volatile long large = 7;
volatile unsigned long wide = 9;
volatile bool is_set = true;
int *volatile place = (int *)&to;
volatile int table[8];
int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

/* Not all cases have room: then the value itself stands for them. */
static int many_cases(void)
{
    /* LOG: guards of wide in many_cases: v,17452669531780398833,and64,[0-9]*,wadd64,[0-9]*,xor64$ */
    switch (((wide & 17452669531780398833UL) + 16299271041781413496UL) ^ 18364758544493064720UL) {
    case 100000000000001UL:
        return 1;
    case 100000000000023UL:
        return 2;
    case 100000000000456UL:
        return 3;
    case 100000000007890UL:
        return 4;
    case 100000000012345UL:
        return 5;
    case 100000000678901UL:
        return 6;
    case 100000000678902UL:
        return 7;
    case 100000000678903UL:
        return 8;
    case 100000000678904UL:
        return 9;
    case 100000000678905UL:
        return 10;
    case 100000000678906UL:
        return 11;
    default:
        return 0;
    }
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

/* Cases that lead to one place are one guard. */
static void shared_cases(void)
{
    switch (bits) { /* LOG: guards of bits in shared_cases: v,1,eq32,v,5,eq32,or1$ */
    case 1:
    case 5:
        to = 1;
        break;
    default:
        break;
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
    srand((unsigned)from);
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

/* A local variable that is written several times, one after the other. */
static void rewritten(void)
{
    int mine = 1;
    mine += from; /* LOG: guards of from in rewritten: @[0-9]+;(v,1|1,v),add32,1,add32,9,slt32$ */
    mine++;
    if (mine < 9)
        to = mine; /* LOG: guards of to in rewritten: (@[0-9]+,1|1,@[0-9]+),add32,1,add32$ */
}

/* What does not fit is cut off. */
static void hashed(void)
{
    to = (int)(bits * 2654435761u >>
               3); /* LOG: guards of to in hashed: @[0-9]+,2654435761,wmul32,3,lshr32$ */
}

/* An update says what it writes. */
static void updated(void)
{
    int old = __atomic_fetch_add(
        &counter, 2,
        __ATOMIC_SEQ_CST); /* LOG: guards of counter in updated: =v,2,wadd32;v,3,sgt32$ */
    if (old > 3)
        to = 1;
    to = __atomic_exchange_n(&counter, 7,
                             __ATOMIC_SEQ_CST); /* LOG: guards of counter in updated: @[0-9]+;=7$ */
}

/* Outside code gets only this much of it. */
static void arguments(void)
{
    srand(from > 2); /* LOG: guards of from in arguments: v,2,sgt32(,trunc8)?(;.*)?$ */
}

/* What is only printed decides nothing; unless it is a width, or goes elsewhere, or somebody counts
 * what was printed. */
static void printed(void)
{
    printf("%d\n", from);           /* LOG: guards of from in printed: 0$ */
    fprintf(stderr, "%lu\n", wide); /* LOG: guards of wide in printed: 0$ */
}

__attribute__((noinline)) static void not_only_printed(FILE *file, ...)
{
    printf("%*d\n", from, 1); /* NOT: guards of .* in not_only_printed */
    fprintf(file, "%u\n", bits);
    if (printf("%ld\n", large) > 1)
        counter = 1;
}

/* With numbers that are known before the load, and do not depend on what is followed. */
static void counted(void)
{
    for (int i = 0; i < 2; i++)
        if (from > i + 4) /* LOG: guards of from in counted: v,p,4,add32,sgt32$ */
            to = 1;       /* LOG: operand 1 of counted$ */
    for (int i = 0; i < 2; i++)
        counter += i + 7; /* LOG: guards of counter in counted: @[0-9]+,p,7,add32,add32$ */
}

/* Not with the counter of another round. */
static void counted_later(void)
{
    int last = 0;
    for (int i = 0; i < 2; i++) {
        if (last < i)
            to = 1;
        last = from; /* NOT: guards of .* in counted_later: .*[pPQ] */
    }
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

/* In the place of its call, although it must not be inlined. */
__attribute__((noinline)) static int kept_apart(void)
{
    return from;
}

static void calls(void)
{
    to = kept_apart() + 9; /* LOG: guards of from in kept_apart: @[0-9]+$ */
} /* LOG: guards of to in calls: @[0-9]+,9,add32$ */

/* With a parameter: its value is passed before the load. (Functions with more arguments than
 * parameters are never put in the place of their calls.) */
__attribute__((noinline)) static void parameters(int least, long other, ...)
{
    if (from > least)       /* LOG: guards of from in parameters: v,p,sgt32$ */
        to = 1;             /* LOG: operand 2 of parameters$ */
    if (large == other + 1) /* LOG: guards of large in parameters: v,p,1,add64,eq64$ */
        to = 2;
}

/* With two of them. */
__attribute__((noinline)) static void two(int a, int b, ...)
{
    int mine =
        from; /* LOG: guards of from in two: v,[pP],s(gt|lt|ge|le)32;v,[pP],s(gt|lt|ge|le)32$ */
    if (mine > a && mine < b)
        to = 1;
}

/* Not with four. */
__attribute__((noinline)) static void too_many(int a, int b, int c, int d, ...)
{
    int mine = from; /* NOT: guards of .* in too_many */
    if (mine > a && mine < b && mine != c && mine != d)
        to = 1;
}

/* The lock is released whatever was read. */
static void released(void)
{
    pthread_mutex_lock(&lock);
    int mine = from; /* LOG: guards of from in released: \^1;v,2,sgt32$ */
    pthread_mutex_unlock(&lock);
    if (mine > 2)
        to = 1;
}

int main(void)
{
    printed();
    not_only_printed(stdout);
    counted();
    counted_later();
    calls();
    parameters(2, 5);
    two(1, 9);
    too_many(1, 9, 2, 4);
    released();
    functions();
    branches();
    to = many_cases();
    two_of_one_value();
    cases();
    shared_cases();
    parts();
    as_it_is();
    stored();
    several();
    again(1);
    rewritten();
    hashed();
    updated();
    arguments();
    return to;
}
