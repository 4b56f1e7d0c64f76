/* SPDX-License-Identifier: MIT */
/* Who was woken looks again: the room may be taken. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, data = PTHREAD_COND_INITIALIZER;
static int slot, used, sum;

static void put(int value)
{
    pthread_mutex_lock(&lock);
    while (used == 1)
        pthread_cond_wait(&room, &lock);
    slot = value;
    used++;
    pthread_cond_signal(&data);
    pthread_mutex_unlock(&lock);
}

static void *fill(void *unused)
{
    for (int i = 1; i <= 3; i++)
        put(i);
    return unused;
}

static void *drain(void *unused)
{
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        while (used == 0)
            pthread_cond_wait(&data, &lock);
        sum += slot;
        used--;
        pthread_cond_signal(&room);
        pthread_mutex_unlock(&lock);
    }
    printf("sum %d\n", sum);
    return unused;
}

#define THREADS fill, fill, drain
#include "../start.h"
