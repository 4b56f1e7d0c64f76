/* SPDX-License-Identifier: MIT */
/* Takes a number from a stack of free ones, and puts it back where the top is by then: that it
 * comes to the same element of the array again decides nothing. */
#include <pthread.h>

enum { SLOTS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_slots[SLOTS] = {0, 1, 2, 3}, top = SLOTS;
static int owners[SLOTS], clashes;

static int take(void)
{
    pthread_mutex_lock(&lock);
    int slot = top > 0 ? free_slots[--top] : -1;
    pthread_mutex_unlock(&lock);
    return slot;
}

static void give_back(int slot)
{
    pthread_mutex_lock(&lock);
    free_slots[top++] = slot;
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused)
{
    for (int i = 0; i < 3; i++) {
        int slot = take();
        if (slot < 0)
            continue;
        if (owners[slot])
            __atomic_fetch_add(&clashes, 1, __ATOMIC_SEQ_CST);
        owners[slot] = 1;
        owners[slot] = 0;
        give_back(slot);
    }
    return unused;
}

#define THREADS client, client, client
#define CORRECT clashes == 0
#include "../start.h"
