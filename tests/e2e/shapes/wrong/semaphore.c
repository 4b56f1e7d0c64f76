/* SPDX-License-Identifier: MIT */
/* The room that is left is looked at, and then taken, a semaphore being the lock of each.
 * finds: a block in loader */
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int loaded = 60;

static int load(void)
{
    sem_wait(&lock);
    int seen = loaded;
    sem_post(&lock);
    return seen;
}

static void add(int weight)
{
    sem_wait(&lock);
    loaded += weight;
    sem_post(&lock);
}

static void *loader(void *unused)
{
    if (load() + 30 <= 100)
        add(30);
    return unused;
}

__attribute__((constructor)) static void prepare(void)
{
    sem_init(&lock, 0, 1);
}

#define THREADS loader, loader
#include "../start.h"
