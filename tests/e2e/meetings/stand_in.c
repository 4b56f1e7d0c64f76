/* SPDX-License-Identifier: MIT */
/* A library that is not instrumented, with locks and queues of its own, made of atomics and
 * futexes. */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct box_mutex {
    atomic_int state; /* 0 free, 1 held, 2 held and awaited */
} box_mutex;

static void sleep_while(atomic_int *word, int value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, (void *)0, (void *)0, 0);
}

static void wake(atomic_int *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, (void *)0, (void *)0, 0);
}

void box_mutex_lock(box_mutex *mutex)
{
    int found = 0;
    if (atomic_compare_exchange_strong(&mutex->state, &found, 1))
        return;
    while (atomic_exchange(&mutex->state, 2) != 0)
        sleep_while(&mutex->state, 2);
}

void box_mutex_unlock(box_mutex *mutex)
{
    if (atomic_exchange(&mutex->state, 0) == 2)
        wake(&mutex->state);
}

typedef struct box_queue {
    atomic_int count;
} box_queue;

void box_queue_put(box_queue *queue)
{
    atomic_fetch_add(&queue->count, 1);
    wake(&queue->count);
}

void box_queue_take(box_queue *queue)
{
    for (;;) {
        int found = atomic_load(&queue->count);
        if (found == 0)
            sleep_while(&queue->count, 0);
        else if (atomic_compare_exchange_strong(&queue->count, &found, found - 1))
            return;
    }
}
