/* SPDX-License-Identifier: MIT */
/* One of two threads closes it, which it finds out and says in one critical section. */
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
    is_open = false;
    pthread_mutex_unlock(&lock);
    if (was_open)
        free(buffer);
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
