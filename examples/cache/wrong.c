/* SPDX-License-Identifier: MIT
 *
 * cache: a cache of few slots behind a reader-writer lock. Keys share slots.
 *
 * `lookup` compares the key of the slot under the lock, gives it back, and takes it again
 * to read the value. A writer that comes between puts another key and its value there:
 * lookup returns the value of the wrong key.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdbool.h>
#include <stdio.h>

enum { SLOTS = 2, ROUNDS = 2 };

static struct {
    pthread_rwlock_t lock;
    int key[SLOTS];
    int value[SLOTS];
} cache = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static void store(int key, int value)
{
    pthread_rwlock_wrlock(&cache.lock);
    cache.key[key % SLOTS] = key;
    cache.value[key % SLOTS] = value;
    pthread_rwlock_unlock(&cache.lock);
}

static bool cached(int key)
{
    pthread_rwlock_rdlock(&cache.lock);
    bool found = cache.key[key % SLOTS] == key;
    pthread_rwlock_unlock(&cache.lock);
    return found;
}

static int value_of(int key)
{
    pthread_rwlock_rdlock(&cache.lock);
    int value = cache.value[key % SLOTS];
    pthread_rwlock_unlock(&cache.lock);
    return value;
}

static int lookup(int key, int otherwise)
{
    SERIATIM_ATOMIC_SCOPE("lookup");
    return cached(key) ? value_of(key) : otherwise;
}

struct client {
    pthread_t thread;
    int key;
    bool wrong;
};

static int square(int key)
{
    return key * key;
}

static void *work(void *argument)
{
    struct client *client = argument;
    for (int i = 0; i < ROUNDS; i++) {
        int key = client->key + i;
        store(key, square(key));
        if (lookup(key, square(key)) != square(key))
            client->wrong = true;
    }
    return NULL;
}

int main(void)
{
    struct client clients[] = {{.key = 10}, {.key = 20}};
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i].thread, NULL, work, &clients[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i].thread, NULL);
    bool wrong = clients[0].wrong || clients[1].wrong;
    puts(wrong ? "a value of another key" : "all values were right");
    return 0;
}
