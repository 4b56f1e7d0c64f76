/* SPDX-License-Identifier: MIT */
/* Who gives the turn back hands it to one that waits: nobody else can take it, so that there is no
 * need to look again. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int is_taken, waiting, granted, done;

static void take(void)
{
    pthread_mutex_lock(&lock);
    if (is_taken) {
        waiting++;
        while (granted == 0)
            pthread_cond_wait(&turn, &lock);
        granted--;
        waiting--;
    }
    is_taken = 1;
    pthread_mutex_unlock(&lock);
}

static void give(void)
{
    pthread_mutex_lock(&lock);
    if (waiting > granted) {
        granted++;
        pthread_cond_signal(&turn);
    } else {
        is_taken = 0;
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    take();
    done++;
    give();
    return unused;
}

static void *print(void *unused)
{
    take();
    printf("%s\n", done <= 2 ? "right" : "wrong");
    give();
    return unused;
}

#define THREADS work, work, print
#include "../start.h"
