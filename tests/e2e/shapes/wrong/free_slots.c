/* SPDX-License-Identifier: MIT */
/* Looks at the top of a stack of free numbers, and takes it off in another critical section. finds:
 * take */
#include <pthread.h>

enum { SLOTS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_slots[SLOTS] = {0, 1, 2, 3}, top = SLOTS;
static int owners[SLOTS], clashes;

static int take(void)
{
    pthread_mutex_lock(&lock);
    int slot = top > 0 ? free_slots[top - 1] : -1;
    pthread_mutex_unlock(&lock);
    if (slot >= 0) {
        pthread_mutex_lock(&lock);
        top--;
        pthread_mutex_unlock(&lock);
    }
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
