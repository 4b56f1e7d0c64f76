/* SPDX-License-Identifier: MIT */
/* A lock that is looked at and then taken, and the data behind it. finds: lock */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int taken;
static int balance, steps;

static void lock(void)
{
    while (atomic_load(&taken))
        ;
    atomic_store(&taken, 1);
}

static void unlock(void)
{
    atomic_store(&taken, 0);
}

static void deposit(int amount)
{
    lock();
    balance += amount;
    steps++;
    unlock();
}

static void *client(void *unused)
{
    deposit(10);
    deposit(20);
    return unused;
}

#define THREADS client, client
#define CORRECT printf("%d in %d steps\n", balance, steps)
#include "../start.h"
