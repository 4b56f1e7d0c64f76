/* SPDX-License-Identifier: MIT */
/* A limit that is looked at, and then not kept: what the second operation returns decides
 * something else. finds: take */
#include <atomic>
#include <pthread.h>

static std::atomic<int> tokens{2}, last_taken{0}, taken{0};

static bool take()
{
    if (tokens.load() <= 0)
        return false;
    if (tokens.fetch_sub(1) == 1)
        last_taken.fetch_add(1);
    return true;
}

static void *client(void *unused)
{
    if (take())
        taken.fetch_add(1);
    return unused;
}

#define THREADS client, client, client
#include "../start.h"
