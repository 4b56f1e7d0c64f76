/* SPDX-License-Identifier: MIT */
/* A free slot is found in one critical section and taken in the next one, which both come in any
 * case: what was found decides only which slot is taken. finds: a block in take_slots */
#include <pthread.h>
#include <stdio.h>

enum { SLOTS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owners[SLOTS];

static void *take_slots(void *unused)
{
    for (int round = 0; round < 3; round++) {
        int slot = 0;
        pthread_mutex_lock(&lock);
        while (owners[slot])
            slot++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        owners[slot] = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static int count_taken(void)
{
    int taken = 0;
    for (int i = 0; i < SLOTS; i++)
        taken += owners[i];
    return taken;
}

#define THREADS take_slots, take_slots
#define CORRECT printf("%d slots\n", count_taken())
#include "../start.h"
