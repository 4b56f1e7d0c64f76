/* SPDX-License-Identifier: MIT */
/* All that a thread does is to read a pair, in one line, which is no loop.
 * finds: measure */
#include <pthread.h>
#include <stdio.h>

static struct {
    volatile int low, high;
} range;

static void *widen(void *unused)
{
    range.high = 1;
    range.low = 1;
    return unused;
}

static void *measure(void *unused)
{
    int width = range.high - range.low;
    if (width)
        puts("wide");
    return unused;
}

#define THREADS measure, widen
#include "../start.h"
