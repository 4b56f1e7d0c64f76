/* SPDX-License-Identifier: MIT */
/* A lost update in one line, through a pointer that is read twice and never changes: neither that
 * nor a read and a write in one line make it a loop. finds: count */
#include <pthread.h>
#include <stdatomic.h>

static struct visits {
    atomic_int number;
} hall;
struct visits *visits = &hall;

// clang-format off
static void *count(void *unused)
{
    int seen = atomic_load(&visits->number); atomic_store(&visits->number, seen + 1);
    return unused;
}
// clang-format on

#define THREADS count, count
#include "../start.h"
