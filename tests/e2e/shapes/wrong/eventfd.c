/* SPDX-License-Identifier: MIT */
/* The room that is left is looked at, and then taken. The lock is an eventfd that has one in it.
 * finds: a block in loader */
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int lock;
static int loaded = 60;

static void enter(void)
{
    uint64_t one;
    if (read(lock, &one, sizeof one) < 0)
        _exit(2);
}

static void leave(void)
{
    const uint64_t one = 1;
    if (write(lock, &one, sizeof one) < 0)
        _exit(2);
}

static int load(void)
{
    enter();
    int seen = loaded;
    leave();
    return seen;
}

static void add(int weight)
{
    enter();
    loaded += weight;
    leave();
}

static void *loader(void *unused)
{
    if (load() + 30 <= 100)
        add(30);
    return unused;
}

__attribute__((constructor)) static void prepare(void)
{
    lock = eventfd(1, 0);
}

#define THREADS loader, loader
#include "../start.h"
