/* SPDX-License-Identifier: MIT */
/* A thread is started in a critical section, and waits until it is told to begin: it looks at two
 * flags, and only waits then. */
#include <pthread.h>

typedef struct worker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int start, stop, done;
    pthread_t thread;
} worker;

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static worker one = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static int is_ready;

static void *run(void *of)
{
    worker *me = of;
    int start;
    pthread_mutex_lock(&me->lock);
    while ((start = me->start) == 0 && me->stop == 0)
        pthread_cond_wait(&me->changed, &me->lock);
    me->done = start;
    pthread_mutex_unlock(&me->lock);
    return NULL;
}

static void *prepare(void *unused)
{
    pthread_mutex_lock(&all);
    if (!is_ready) {
        one.start = 0;
        one.stop = 0;
        pthread_create(&one.thread, NULL, run, &one);
        pthread_mutex_lock(&one.lock);
        one.start = 1;
        pthread_cond_signal(&one.changed);
        pthread_mutex_unlock(&one.lock);
        pthread_join(one.thread, NULL);
        is_ready = 1;
    }
    pthread_mutex_unlock(&all);
    return unused;
}

#define THREADS prepare, prepare
#include "../start.h"
