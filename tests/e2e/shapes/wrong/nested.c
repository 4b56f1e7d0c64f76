/* SPDX-License-Identifier: MIT */
/* A critical section takes a second lock twice, which alone protects the slots: others may change
 * the number that it has read, and it overwrites that. finds: a block in reader */
#include <pthread.h>

static pthread_mutex_t source = PTHREAD_MUTEX_INITIALIZER, slot_lock = PTHREAD_MUTEX_INITIALIZER;
static int slots = 3, position;

static int count_slots(void)
{
    pthread_mutex_lock(&slot_lock);
    int count = slots;
    pthread_mutex_unlock(&slot_lock);
    return count;
}

static void set_slots(int count)
{
    pthread_mutex_lock(&slot_lock);
    slots = count;
    pthread_mutex_unlock(&slot_lock);
}

static void *reader(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&source);
        int count = count_slots();
        position += 100;
        set_slots(count + 1);
        pthread_mutex_unlock(&source);
    }
    return unused;
}

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&slot_lock);
        slots++;
        pthread_mutex_unlock(&slot_lock);
    }
    return unused;
}

#define THREADS reader, worker, reader
#include "../start.h"
