// SPDX-License-Identifier: MIT
// blocks: set, check
// Two variables are set and read under one spin lock.
#include <pthread.h>
#include <stdio.h>

pthread_spinlock_t l;
volatile int a, b;

void set(void)
{
    pthread_spin_lock(&l);
    a = 1, b = -1;
    pthread_spin_unlock(&l);
}

int check(void)
{
    pthread_spin_lock(&l);
    int sum = a + b;
    pthread_spin_unlock(&l);
    return sum == 0;
}

void *setter(void *unused)
{
    set();
    return check() ? NULL : unused;
}

int main(void)
{
    pthread_t s[3];
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 3; i++)
        pthread_create(&s[i], NULL, setter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(s[i], NULL);
    printf("%d %d\n", a, b);
}
