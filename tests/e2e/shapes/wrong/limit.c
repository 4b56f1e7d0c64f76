/* SPDX-License-Identifier: MIT */
/* A line that looks at a variable, and then adds to it: only the second is an assignment.
 * finds: an assignment in arrive */
#include <pthread.h>

static int guests = 8;

static void *arrive(void *unused)
{
    // clang-format off
    if (guests < 10) guests++;
    // clang-format on
    return unused;
}

#define THREADS arrive, arrive
#include "../start.h"
