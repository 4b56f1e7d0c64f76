/* SPDX-License-Identifier: MIT */
/* A function writes its result into a buffer that all threads share; its callers copy it. The
 * lock is given back too early, so that nothing but the copy is outside.
 * finds: a block in name_item */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int started;
static char names[2][16];

static const char *label(int item)
{
    static char text[16];
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "item-%d", item);
    pthread_mutex_unlock(&lock);
    return text;
}

static void *name_item(void *unused)
{
    int item = atomic_fetch_add(&started, 1);
    strcpy(names[item], label(item));
    return unused;
}

#define THREADS name_item, name_item
#define CORRECT printf("%s %s\n", names[0], names[1])
#include "../start.h"
