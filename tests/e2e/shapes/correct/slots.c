/* SPDX-License-Identifier: MIT */
/* A free slot is found in one critical section, and looked at again in the next one before it is
 * taken. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { SLOTS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owners[SLOTS];

static int find_slot(void)
{
    int slot = 0;
    pthread_mutex_lock(&lock);
    while (owners[slot])
        slot++;
    pthread_mutex_unlock(&lock);
    return slot;
}

static bool take_slot(int slot)
{
    bool is_taken = false;
    pthread_mutex_lock(&lock);
    if (!owners[slot])
        owners[slot] = is_taken = true;
    pthread_mutex_unlock(&lock);
    return is_taken;
}

static void *take_slots(void *unused)
{
    for (int taken = 0; taken < 3;)
        taken += take_slot(find_slot());
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
