/* SPDX-License-Identifier: MIT */
/* Values that belong together are set and read in one critical section. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int celsius, fahrenheit = 32;

static int read_both(void)
{
    pthread_mutex_lock(&lock);
    int difference = fahrenheit - celsius;
    pthread_mutex_unlock(&lock);
    return difference;
}

static void set_both(void)
{
    pthread_mutex_lock(&lock);
    celsius = 100;
    fahrenheit = 212;
    pthread_mutex_unlock(&lock);
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
