/* SPDX-License-Identifier: MIT */
/* Some lines have the time in them, and are others in each run; how many dishes are left is not.
 * finds: guest */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int dishes = 3;

static void say(const char *what)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%ld.%09ld %s\n", (long)now.tv_sec, now.tv_nsec, what);
}

static int count_dishes(void)
{
    pthread_mutex_lock(&lock);
    int left = dishes;
    pthread_mutex_unlock(&lock);
    return left;
}

static void leave(int left)
{
    pthread_mutex_lock(&lock);
    dishes = left;
    pthread_mutex_unlock(&lock);
}

static void *guest(void *unused)
{
    int left = count_dishes();
    say("eats");
    leave(left - 1);
    printf("of %d\n", left);
    return unused;
}

#define THREADS guest, guest
#define CORRECT printf("left: %d\n", dishes)
#include "../start.h"
