/* SPDX-License-Identifier: MIT */
/* Two values that belong together are set one after the other, and read the other way round. No
 * path leads from the reader through the writer back into it: only both blocks together show it.
 * Nothing else does: so the user has to say that they are atomic. finds: read_both */
#include <pthread.h>
#include <seriatim/annotate.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int celsius, fahrenheit = 32;

static int get(const int *value)
{
    pthread_mutex_lock(&lock);
    int copy = *value;
    pthread_mutex_unlock(&lock);
    return copy;
}

static void set(int *value, int to)
{
    pthread_mutex_lock(&lock);
    *value = to;
    pthread_mutex_unlock(&lock);
}

static int read_both(void)
{
    SERIATIM_ATOMIC_BEGIN("read_both");
    int f = get(&fahrenheit);
    int difference = f - get(&celsius);
    SERIATIM_ATOMIC_END();
    return difference;
}

static void set_both(void)
{
    SERIATIM_ATOMIC_BEGIN("set_both");
    set(&celsius, 100);
    set(&fahrenheit, 212);
    SERIATIM_ATOMIC_END();
}

static void *reader(void *unused)
{
    return read_both() ? unused : NULL;
}

static void *sensor(void *unused)
{
    set_both();
    return unused;
}

#define THREADS reader, sensor
#include "../start.h"
