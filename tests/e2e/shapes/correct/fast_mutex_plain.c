/* SPDX-License-Identifier: MIT */
/* Lamport's fast mutex of plain variables. Who closes the door after another one has sees by its
 * own announcement that it was not alone. */
#include <pthread.h>
#include <sched.h>

enum { COUNT = 2 };

static volatile int announced, door, inside[COUNT + 1];
static int sum;

static int wait_for_door(int self)
{
    inside[self] = 0;
    while (door)
        sched_yield();
    return 0;
}

static int enter(int self)
{
    inside[self] = 1;
    announced = self;
    if (door)
        return wait_for_door(self);
    door = self;
    if (announced != self) {
        inside[self] = 0;
        for (int i = 1; i <= COUNT; i++)
            while (inside[i])
                sched_yield();
        if (door != self)
            return wait_for_door(self);
    }
    return 1;
}

static void add(int self)
{
    for (int i = 0; i < 2; i++) {
        while (!enter(self))
            sched_yield();
        sum++;
        door = 0;
        inside[self] = 0;
    }
}

static void *first(void *unused)
{
    add(1);
    return unused;
}

static void *second(void *unused)
{
    add(2);
    return unused;
}

#define CORRECT sum == 4
#define THREADS first, second
#include "../start.h"
