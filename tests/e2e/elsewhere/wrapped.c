/* SPDX-License-Identifier: MIT */
/* A library that is not instrumented, with locks around those of POSIX. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void wrapped_MutexLock(void)
{
    pthread_mutex_lock(&mutex);
}

void wrapped_MutexUnlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void *work(void *callback)
{
    ((void (*)(void))callback)();
    return NULL;
}

/* Calls it in two threads. */
void wrapped_call_twice(void (*callback)(void))
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)callback);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
