/* SPDX-License-Identifier: MIT
 *
 * pool, the correct twin: `get` looks and takes in one critical section.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>

enum { SIZE = 4 };

static struct {
    pthread_mutex_t lock;
    int idle;
    int connection[SIZE];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void drop_all(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.idle = 0;
    pthread_mutex_unlock(&pool.lock);
}

static void put(int connection)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.idle < SIZE)
        pool.connection[pool.idle++] = connection;
    pthread_mutex_unlock(&pool.lock);
}

/* An idle connection, or the new one if there is none. */
static int get(int new_one)
{
    SERIATIM_ATOMIC_SCOPE("get");
    pthread_mutex_lock(&pool.lock);
    int connection = pool.idle > 0 ? pool.connection[--pool.idle] : new_one;
    pthread_mutex_unlock(&pool.lock);
    return connection;
}

struct client {
    pthread_t thread;
    int first, got;
};

static void *work(void *argument)
{
    struct client *client = argument;
    drop_all();
    put(client->first);
    client->got = get(client->first + 1);
    return NULL;
}

int main(void)
{
    struct client clients[] = {{.first = 10}, {.first = 20}};
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i].thread, NULL, work, &clients[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i].thread, NULL);
    for (int i = 0; i < 2; i++)
        puts(clients[i].got > 0 ? "connected" : "not connected");
    return 0;
}
