/* SPDX-License-Identifier: MIT */
/* Looked at without obligation, and again by the one who takes the room. */
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
    if (loaded + weight <= 100)
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
#define CORRECT loaded == 90
#include "../start.h"
