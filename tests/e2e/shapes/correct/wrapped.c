/* SPDX-License-Identifier: MIT */
/* A check and its act in one critical section, with the lock behind two small functions. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 3, sold;

static void enter(void)
{
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

static void *agent(void *unused)
{
    for (int i = 0; i < 2; i++) {
        enter();
        if (seats > 0) {
            seats--;
            sold++;
        }
        leave();
    }
    return unused;
}

#define THREADS agent, agent
#define AT_END  printf("%d seats, %d sold\n", seats, sold)
#include "../start.h"
