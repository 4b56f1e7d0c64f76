/* SPDX-License-Identifier: MIT
 *
 * pool: a pool of idle connections. After a restart of the server its connections are worth
 * nothing, and all are dropped.
 *
 * `get` sees that a connection is idle, gives the lock back, and then takes one. If all
 * are dropped between, it takes number -1.
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

static int idle(void)
{
    pthread_mutex_lock(&pool.lock);
    int idle = pool.idle;
    pthread_mutex_unlock(&pool.lock);
    return idle;
}

static int take(void)
{
    pthread_mutex_lock(&pool.lock);
    int last = --pool.idle;
    int connection = last >= 0 ? pool.connection[last] : -1;
    pthread_mutex_unlock(&pool.lock);
    return connection;
}

/* An idle connection, or the new one if there is none. */
static int get(int new_one)
{
    SERIATIM_ATOMIC_SCOPE("get");
    if (idle() == 0)
        return new_one;
    return take();
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
