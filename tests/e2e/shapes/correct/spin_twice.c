/* SPDX-License-Identifier: MIT */
/* The lock that the program makes itself is taken twice, for different data. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int value, calls;

static void take(void)
{
    while (atomic_flag_test_and_set(&busy))
        ;
}

static void add(int by)
{
    take();
    calls++;
    atomic_flag_clear(&busy);
    take();
    value = value + by;
    atomic_flag_clear(&busy);
}

static void *run(void *by)
{
    add(by ? 1 : 2);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, &value);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d %d\n", value, calls);
}
