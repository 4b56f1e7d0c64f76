/* Mutexes and conditions on the stacks of threads that wait: they are gone as soon as these go on,
 * and the next ones are at the same addresses. */
#include <pthread.h>
#include <stdio.h>

typedef struct request {
    pthread_mutex_t lock;
    pthread_cond_t served;
    int done;
    struct request *next;
} request;

static request *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int stop, count;

static request *take(void)
{
    pthread_mutex_lock(&lock);
    while (!queue && !stop)
        pthread_cond_wait(&filled, &lock);
    request *first = queue;
    if (first)
        queue = first->next;
    count += first != NULL;
    pthread_mutex_unlock(&lock);
    return first;
}

static void *serve(void *unused)
{
    for (request *next; (next = take());) {
        pthread_mutex_lock(&next->lock);
        next->done = 1;
        pthread_cond_signal(&next->served);
        pthread_mutex_unlock(&next->lock);
    }
    return unused;
}

static void *ask(void *unused)
{
    for (int i = 0; i < 20; i++) {
        request own = {.lock = PTHREAD_MUTEX_INITIALIZER, .served = PTHREAD_COND_INITIALIZER};
        pthread_mutex_lock(&lock);
        own.next = queue;
        queue = &own;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&own.lock);
        while (!own.done)
            pthread_cond_wait(&own.served, &own.lock);
        pthread_mutex_unlock(&own.lock);
        pthread_cond_destroy(&own.served);
        pthread_mutex_destroy(&own.lock);
    }
    return unused;
}

int main(void)
{
    pthread_t servers[2], clients[4];
    for (int i = 0; i < 2; i++)
        pthread_create(&servers[i], NULL, serve, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&clients[i], NULL, ask, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(clients[i], NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(servers[i], NULL);
    printf("%d\n", count);
    return 0;
}
