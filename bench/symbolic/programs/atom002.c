/* SPDX-License-Identifier: MIT */
/*
 * atom002 of the paper, re-made: Apache's cache. A request looks at the entries of a cache and
 * marks those that it uses, while another thread removes entries. -DFIX=1 (atom002a): the other one
 * works only when the request is finished, which a shared variable says.
 */
#include <pthread.h>

enum { ENTRIES = 4 };

static struct entry {
    int used, removed, size;
} cache[ENTRIES];
static int total, finished; /* finished: with the fix only */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void request(void)
{
    for (int i = 0; i < ENTRIES; i++) {
        if (cache[i].removed)
            continue;
        cache[i].used = 1;
        total = total + cache[i].size;
        if (cache[i].removed)
            total = 0;
    }
}

static void *serve(void *unused)
{
    request();
    if (FIX) {
        pthread_mutex_lock(&lock);
        finished = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *clean(void *unused)
{
    int may = 1;
    if (FIX) {
        pthread_mutex_lock(&lock);
        may = finished;
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; may && i < ENTRIES; i++) {
        cache[i].removed = 1;
        cache[i].used = 0;
        total = total - cache[i].size;
    }
    return unused;
}

int main(void)
{
    pthread_t server, cleaner;
    for (int i = 0; i < ENTRIES; i++)
        cache[i].size = 10 * i;
    total = 0;
    pthread_create(&server, 0, serve, 0);
    pthread_create(&cleaner, 0, clean, 0);
    pthread_join(server, 0);
    pthread_join(cleaner, 0);
    return total != 0;
}
