/* SPDX-License-Identifier: MIT */
/* A library that is not instrumented, with a lock made of a futex: 0 free, 1 held, 2 others wait.
 * Its queue has the name of GLib's, so that what happens in it is not recorded. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned lock;
static atomic_bool is_held;

static void take(void)
{
    unsigned expected = 0;
    if (atomic_compare_exchange_strong(&lock, &expected, 1))
        return;
    while (atomic_exchange(&lock, 2) != 0)
        syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void give(void)
{
    if (atomic_exchange(&lock, 0) == 2)
        syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Holds the lock until somebody waits for it. */
void g_async_queue_push(void *queue, void *data)
{
    (void)queue, (void)data;
    take();
    atomic_store(&is_held, 1);
    while (atomic_load(&lock) != 2)
        usleep(1000);
    usleep(20000);
    give();
}

void library_uses(void)
{
    while (!atomic_load(&is_held))
        usleep(1000);
    take();
    give();
}
