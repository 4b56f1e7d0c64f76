/* SPDX-License-Identifier: MIT */
/* Lamport's fast mutex of plain variables, without its second look: who closes the door after
 * another one has does not see that it was not alone. finds: add */
#include <pthread.h>
#include <sched.h>

enum { COUNT = 2 };

static volatile int announced, door, inside[COUNT + 1];
static int sum;

static void enter(int self)
{
    for (;;) {
        inside[self] = 1;
        announced = self;
        if (door) {
            inside[self] = 0;
            while (door)
                sched_yield();
            continue;
        }
        door = self;
        return;
    }
}

static void add(int self)
{
    for (int i = 0; i < 2; i++) {
        enter(self);
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
