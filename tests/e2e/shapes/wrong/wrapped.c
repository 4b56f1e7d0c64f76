/* SPDX-License-Identifier: MIT */
/* A check in one critical section, its act in the next one, and the lock behind two small
 * functions: what is to be changed is in neither of these. finds: a block in agent */
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

static int free_seats(void)
{
    enter();
    int n = seats;
    leave();
    return n;
}

static void take_seat(void)
{
    enter();
    seats--;
    sold++;
    leave();
}

static void *agent(void *unused)
{
    for (int i = 0; i < 2; i++)
        if (free_seats() > 0)
            take_seat();
    return unused;
}

#define THREADS agent, agent
#define AT_END  printf("%d seats, %d sold\n", seats, sold)
#include "../start.h"
