/* SPDX-License-Identifier: MIT */
/* Is said to be made when it is, and only one thread makes it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_made, sum, *table;

static void make_table(void)
{
    pthread_mutex_lock(&lock);
    if (!is_made) {
        is_made = 1;
        table = malloc(4 * sizeof *table);
        for (int i = 0; i < 4; i++)
            table[i] = i * i;
    }
    pthread_mutex_unlock(&lock);
}

static void *user(void *unused)
{
    make_table();
    __atomic_fetch_add(&sum, table[3], __ATOMIC_SEQ_CST);
    return unused;
}

#define THREADS user, user
#include "../start.h"
