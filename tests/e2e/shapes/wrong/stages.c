/* SPDX-License-Identifier: MIT */
/* Many threads prepare in two steps what one checks: it is found half done only before the very
 * first of them has made its second step. finds: The program fails */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun, size;

static void *builder(void *unused)
{
    pthread_mutex_lock(&lock);
    begun = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    size = begun + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *visitor(void *unused)
{
    pthread_mutex_lock(&lock);
    int is_begun = begun;
    pthread_mutex_unlock(&lock);
    if (!is_begun)
        return unused;
    pthread_mutex_lock(&lock);
    assert(size == 2);
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS builder, builder, builder, builder, builder, builder, builder, builder, visitor
#include "../start.h"
