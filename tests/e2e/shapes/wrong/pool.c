/* SPDX-License-Identifier: MIT */
/* Looks whether the pool has a connection, and takes it in another critical section. finds: get */
#include <pthread.h>
#include <stdlib.h>

typedef struct connection {
    int uses;
    struct connection *next;
} connection;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static connection *idle;

static int has_idle(void)
{
    pthread_mutex_lock(&lock);
    int has = idle != NULL;
    pthread_mutex_unlock(&lock);
    return has;
}

static connection *take_idle(void)
{
    pthread_mutex_lock(&lock);
    connection *taken = idle;
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
    return has_idle() ? take_idle() : calloc(1, sizeof(connection));
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
