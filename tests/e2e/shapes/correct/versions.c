/* SPDX-License-Identifier: MIT */
/* A sequence lock in the loops of threads' first functions. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint version;
static atomic_int low, high;

static void *write_pairs(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        atomic_fetch_add(&version, 1);
        atomic_store(&low, i);
        atomic_store(&high, i);
        atomic_fetch_add(&version, 1);
    }
    return unused;
}

static void *read_pairs(void *unused)
{
    int torn = 0;
    for (int i = 0; i < 3; i++) {
        int one, other;
        unsigned before;
        do {
            while ((before = atomic_load(&version)) & 1)
                ;
            one = atomic_load(&low);
            other = atomic_load(&high);
        } while (atomic_load(&version) != before);
        torn += one != other;
    }
    puts(torn ? "torn" : "whole");
    return unused;
}

#define THREADS write_pairs, read_pairs
#include "../start.h"
