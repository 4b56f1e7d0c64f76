/* SPDX-License-Identifier: MIT */
/* Looked at without obligation, and again by the one who takes the room. */
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
    if (loaded + weight <= 100)
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
#define CORRECT loaded == 90
#include "../start.h"
