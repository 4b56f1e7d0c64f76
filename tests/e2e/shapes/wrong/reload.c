/* SPDX-License-Identifier: MIT */
/* A reader finds the settings in one critical section and counts itself in the next; they may be
 * freed in between. finds: ref */
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int users, limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *current;

static struct settings *make(int limit)
{
    struct settings *made = calloc(1, sizeof *made);
    *made = (struct settings){1, limit};
    return made;
}

static struct settings *find(void)
{
    pthread_mutex_lock(&lock);
    struct settings *found = current;
    pthread_mutex_unlock(&lock);
    return found;
}

static void ref(struct settings *settings)
{
    pthread_mutex_lock(&lock);
    settings->users++;
    pthread_mutex_unlock(&lock);
}

static void unref(struct settings *settings)
{
    pthread_mutex_lock(&lock);
    int left = --settings->users;
    pthread_mutex_unlock(&lock);
    if (left == 0)
        free(settings);
}

static void *reader(void *unused)
{
    struct settings *settings = find();
    ref(settings);
    int limit = settings->limit;
    unref(settings);
    return limit > 0 ? unused : NULL;
}

static void *reloader(void *unused)
{
    struct settings *old, *made = make(20);
    pthread_mutex_lock(&lock);
    old = current;
    current = made;
    pthread_mutex_unlock(&lock);
    unref(old);
    return unused;
}

#define THREADS reader, reloader
#define CORRECT (unref(current), 1)
__attribute__((constructor)) static void begin(void)
{
    current = make(10);
}
#include "../start.h"
