// SPDX-License-Identifier: MIT
// blocks: locks
// One thread waits for the other to set a number, twice.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int num = 1;

void step(int from, int to)
{
    pthread_mutex_lock(&m);
    while (num != from)
        pthread_cond_wait(&changed, &m);
    num = to;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

void *down(void *unused)
{
    step(1, 0);
    step(2, 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, down, NULL);
    step(0, 2);
    pthread_join(t, NULL);
    printf("num %d\n", num);
}
