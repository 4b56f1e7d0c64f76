/* SPDX-License-Identifier: MIT */
/* A key is looked up and added in two critical sections, whose lock is a word that sleeps on a
 * futex. finds: a block in add */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int taken; /* 2: somebody sleeps */
static char keys[4][8];
static int count;

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
    unlock();
    lock();
    if (!found)
        strcpy(keys[count++], key);
    unlock();
    return key;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, "bolt");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return 0;
}
