/* SPDX-License-Identifier: MIT
 *
 * map, the correct twin: the map answers both questions in one critical section.
 *
 * Blocks: functions
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { KEYS = 8 };

static struct {
    pthread_mutex_t lock;
    bool present[KEYS];
    int value[KEYS];
} map = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void map_put(int key, int value)
{
    pthread_mutex_lock(&map.lock);
    map.value[key] = value;
    map.present[key] = true;
    pthread_mutex_unlock(&map.lock);
}

static void map_remove(int key)
{
    pthread_mutex_lock(&map.lock);
    map.present[key] = false;
    map.value[key] = -1;
    pthread_mutex_unlock(&map.lock);
}

static int lookup_or(int key, int otherwise)
{
    pthread_mutex_lock(&map.lock);
    int value = map.present[key] ? map.value[key] : otherwise;
    pthread_mutex_unlock(&map.lock);
    return value;
}

struct client {
    pthread_t thread;
    int removes; /* this key */
    int wants;   /* this one, which the other client removes */
    int got;
};

static void *work(void *argument)
{
    struct client *client = argument;
    map_remove(client->removes);
    client->got = lookup_or(client->wants, 0);
    return NULL;
}

int main(void)
{
    for (int key = 0; key < KEYS; key++)
        map_put(key, 100 + key);
    struct client clients[] = {{.removes = 3, .wants = 5}, {.removes = 5, .wants = 3}};
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i].thread, NULL, work, &clients[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i].thread, NULL);
    for (int i = 0; i < 2; i++) {
        int got = clients[i].got, wants = clients[i].wants;
        puts(got == 0 || got == 100 + wants ? "a value or none" : "a removed value");
    }
    return 0;
}
