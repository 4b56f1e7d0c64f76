/* SPDX-License-Identifier: MIT */
/* A key is looked up and added in one critical section, whose lock is a word that sleeps on a
 * futex; and something is counted under a lock that spins. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int taken; /* 2: somebody sleeps */
static atomic_flag spinning = ATOMIC_FLAG_INIT;
static char keys[4][8];
static int count, calls;

static void lock(void)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&taken, &none, 1))
        while (atomic_exchange(&taken, 2))
            syscall(SYS_futex, &taken, FUTEX_WAIT, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&taken, 0) == 2)
        syscall(SYS_futex, &taken, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void *add(void *key)
{
    int found = 0;
    lock();
    for (int i = 0; i < count; i++)
        found |= strcmp(keys[i], key) == 0;
    if (!found)
        strcpy(keys[count++], key);
    unlock();
    while (atomic_flag_test_and_set(&spinning))
        usleep(0);
    calls++;
    atomic_flag_clear(&spinning);
    return key;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, "bolt");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d of %d\n", count, calls);
    return 0;
}
