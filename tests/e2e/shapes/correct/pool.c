/* SPDX-License-Identifier: MIT */
/* Takes a connection from the pool, or opens one if there is none, and puts it back in any case:
 * what it saw in the pool does not decide about that. */
#include <pthread.h>
#include <stdlib.h>

typedef struct connection {
    int uses;
    struct connection *next;
} connection;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static connection *idle;

static connection *take_idle(void)
{
    pthread_mutex_lock(&lock);
    connection *taken = idle;
    if (taken)
        idle = taken->next;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void put_back(connection *used)
{
    pthread_mutex_lock(&lock);
    used->next = idle;
    idle = used;
    pthread_mutex_unlock(&lock);
}

static connection *get(void)
{
    connection *taken = take_idle();
    return taken ? taken : calloc(1, sizeof *taken);
}

static void *client(void *unused)
{
    for (int i = 0; i < 2; i++) {
        connection *mine = get();
        mine->uses++;
        put_back(mine);
    }
    return unused;
}

#define THREADS client, client
#include "../start.h"
