// SPDX-License-Identifier: MIT
// blocks: locks
// A thread is cancelled while it waits; its clean-up handler gives the lock back.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
int waiting, cleaned;

void clean(void *lock)
{
    cleaned++;
    pthread_mutex_unlock(lock);
}

void *run(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(clean, &m);
    waiting = 1;
    pthread_cond_signal(&ready);
    for (;;)
        pthread_cond_wait(&never, &m);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, run, NULL), pthread_mutex_lock(&m);
    while (!waiting)
        pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    pthread_cancel(t);
    pthread_join(t, &result);
    printf("%s, cleaned %d\n", result == PTHREAD_CANCELED ? "cancelled" : "ended", cleaned);
}
