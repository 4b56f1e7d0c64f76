/* SPDX-License-Identifier: MIT */
/* A limit that is kept by compare-exchange: what was read before is looked at once more. */
#include <atomic>
#include <pthread.h>

static std::atomic<int> tokens{4};

static bool take(int count)
{
    int have = tokens.load();
    for (;;) {
        if (have < count)
            return false;
        if (tokens.compare_exchange_weak(have, have - count))
            return true;
    }
}

static void give(int count)
{
    int have = tokens.load(), next;
    do
        next = have + count > 4 ? 4 : have + count;
    while (!tokens.compare_exchange_weak(have, next));
}

static void *client(void *unused)
{
    for (int i = 0; i < 2; i++)
        if (take(2))
            give(2);
    return unused;
}

#define THREADS client, client, client
#define CORRECT tokens.load() == 4
#include "../start.h"
