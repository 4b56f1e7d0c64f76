/* SPDX-License-Identifier: MIT */
/* A queue in which every slot counts its turns: who comes too early asks until it is its turn. */
#include <atomic>
#include <pthread.h>
#include <sched.h>

enum { SLOTS = 2, ITEMS = 3 };
static struct {
    std::atomic<int> turn{0};
    int item = 0;
} slots[SLOTS];
static int size = SLOTS;
static std::atomic<int> head{0}, tail{0}, sum{0};

static void push(int item)
{
    int number = head.fetch_add(1);
    auto &slot = slots[number % size];
    while (slot.turn.load() != number / size * 2)
        sched_yield();
    slot.item = item;
    slot.turn.store(number / size * 2 + 1);
}

static int pop()
{
    int number = tail.fetch_add(1);
    auto &slot = slots[number % size];
    while (slot.turn.load() != number / size * 2 + 1)
        sched_yield();
    int item = slot.item;
    slot.turn.store(number / size * 2 + 2);
    return item;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        push(i);
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < ITEMS; i++)
        sum += pop();
    return unused;
}

#define THREADS producer, consumer, producer, consumer
#define CORRECT sum == 12
#include "../start.h"
