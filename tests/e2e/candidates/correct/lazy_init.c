/* The cache is made under a lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct cache {
    int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cache *cache;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int made;

static struct cache *make_cache(void)
{
    struct cache *fresh = malloc(sizeof *fresh);
    fresh->size = 16;
    pthread_mutex_lock(&lock);
    made++;
    pthread_mutex_unlock(&lock);
    return fresh;
}

static struct cache *get_cache(void)
{
    pthread_mutex_lock(&guard);
    if (!cache)
        cache = make_cache();
    struct cache *found = cache;
    pthread_mutex_unlock(&guard);
    return found;
}

static void *work(void *unused)
{
    int size = get_cache()->size;
    return size == 16 ? unused : NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", made);
    free(cache);
    return 0;
}
