/* SPDX-License-Identifier: MIT */
/* What is cancelled while it is used is freed in two parts: one mistake.
 * finds: The program uses memory that was freed; one entry */
#include <pthread.h>
#include <stdlib.h>

struct timer {
    int *due, armed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer *slot;
static int fired;

static void fire(const int *due)
{
    fired += *due;
}

static void *ticker(void *unused)
{
    pthread_mutex_lock(&lock);
    struct timer *found = slot;
    pthread_mutex_unlock(&lock);
    if (found && found->armed)
        fire(found->due);
    return unused;
}

static void cancel(void)
{
    pthread_mutex_lock(&lock);
    struct timer *taken = slot;
    slot = NULL;
    pthread_mutex_unlock(&lock);
    free(taken->due);
    free(taken);
}

static void *user(void *unused)
{
    cancel();
    return unused;
}

__attribute__((constructor)) static void prepare(void)
{
    slot = calloc(1, sizeof *slot);
    slot->due = calloc(1, sizeof *slot->due);
    slot->armed = 1;
}

#define THREADS ticker, user
#include "../start.h"
