/* SPDX-License-Identifier: MIT */
/* A pointer is looked at and then used, while another thread clears it: the first run crashes, too.
 * finds: show */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int page = 7, shown;
static int *volatile current = &page;

static void *show(void *unused)
{
    if (current) {
        sched_yield();
        shown = *current;
    }
    return unused;
}

static void *clear(void *unused)
{
    current = NULL;
    return unused;
}

#define THREADS show, clear
#include "../start.h"
