/* SPDX-License-Identifier: MIT */
/* What was looked at without the lock is used with it, but not looked at again.
 * finds: close_stream; one entry */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static int closed;

static void close_stream(void)
{
    if (buffer) {
        pthread_mutex_lock(&lock);
        free(buffer);
        buffer = NULL;
        closed++;
        pthread_mutex_unlock(&lock);
    }
}

static void *use(void *unused)
{
    close_stream();
    return unused;
}

__attribute__((constructor)) static void open_stream(void)
{
    buffer = malloc(8);
}

#define THREADS use, use
#define CORRECT (printf("closed %d times\n", closed), 1)
#include "../start.h"
