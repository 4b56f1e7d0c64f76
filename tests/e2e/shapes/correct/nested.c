/* SPDX-License-Identifier: MIT */
/* A critical section takes a second lock twice, which alone protects the slots: others may use them
 * in between. */
#include <pthread.h>

static pthread_mutex_t source = PTHREAD_MUTEX_INITIALIZER, slot_lock = PTHREAD_MUTEX_INITIALIZER;
static int slots = 3, pending, position;

static void take_slot(void)
{
    pthread_mutex_lock(&slot_lock);
    slots--;
    pthread_mutex_unlock(&slot_lock);
}

static void give_back(void)
{
    pthread_mutex_lock(&slot_lock);
    slots++;
    pending++;
    pthread_mutex_unlock(&slot_lock);
}

static void *reader(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&source);
        take_slot();
        position += 100;
        give_back();
        pthread_mutex_unlock(&source);
    }
    return unused;
}

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&slot_lock);
        slots++;
        if (pending > 0)
            pending--;
        slots--;
        pthread_mutex_unlock(&slot_lock);
    }
    return unused;
}

#define THREADS reader, worker, reader
#define CORRECT slots == 3 && position == 400
#include "../start.h"
