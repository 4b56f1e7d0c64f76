/* SPDX-License-Identifier: MIT */
/* Two threads see that it is open, and both close it. The lock has to be held from the look on,
 * and not from what goes wrong. finds: close_it; one entry */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true;
static char *buffer;

static void close_it(void)
{
    pthread_mutex_lock(&lock);
    bool was_open = is_open;
    pthread_mutex_unlock(&lock);
    if (!was_open)
        return;
    free(buffer);
    pthread_mutex_lock(&lock);
    is_open = false;
    pthread_mutex_unlock(&lock);
}

static void *closer(void *unused)
{
    close_it();
    return unused;
}

__attribute__((constructor)) static void prepare(void)
{
    buffer = malloc(64);
}

#define THREADS closer, closer
#include "../start.h"
