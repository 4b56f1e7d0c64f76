/* SPDX-License-Identifier: MIT */
/* Loops deliver finished work: they call functions that others have registered, each of which locks
 * for itself. What the loop reads of a piece of work is written again by whom it is handed to. */
#include <pthread.h>

typedef struct work {
    struct work *next, *previous;
    void (*done)(struct work *);
    int rounds;
} work;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, counting = PTHREAD_MUTEX_INITIALIZER;
static work queue = {&queue, &queue, 0, 0};
static int finished;

static void insert(work *list, work *one)
{
    one->next = list;
    one->previous = list->previous;
    one->previous->next = one;
    list->previous = one;
}

static void drop(work *one)
{
    one->previous->next = one->next;
    one->next->previous = one->previous;
}

static void submit(work *one)
{
    pthread_mutex_lock(&lock);
    insert(&queue, one);
    pthread_mutex_unlock(&lock);
}

static void again(work *one)
{
    if (one->rounds-- > 0)
        submit(one);
}

static void count(work *one)
{
    pthread_mutex_lock(&counting);
    finished++;
    pthread_mutex_unlock(&counting);
    again(one);
}

static int deliver(void)
{
    work list = {&list, &list, 0, 0};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3 && queue.next != &queue; i++) {
        work *one = queue.next;
        drop(one);
        insert(&list, one);
    }
    pthread_mutex_unlock(&lock);
    int delivered = 0;
    for (; list.next != &list; delivered++) {
        work *one = list.next;
        drop(one);
        one->done(one);
    }
    return delivered;
}

static work all[] = {{.done = again, .rounds = 3}, {.done = count, .rounds = 3},
                     {.done = again, .rounds = 3}, {.done = count, .rounds = 3},
                     {.done = again, .rounds = 3}, {.done = count, .rounds = 3}};

static void *run_loop(void *unused)
{
    while (deliver())
        ;
    return unused;
}

static void *start(void *unused)
{
    for (int i = 0; i < 6; i++)
        submit(&all[i]);
    return run_loop(unused);
}

#define THREADS start, run_loop, run_loop
#include "../start.h"
