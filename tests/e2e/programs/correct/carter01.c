// SPDX-License-Identifier: MIT
// blocks: locks
// may deadlock: one waits for l with m, the other for m with l. What they do is atomic.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
int users[2], data;

void *run(void *group)
{
    int *mine = group;
    pthread_mutex_lock(&m);
    if (++*mine == 1)
        pthread_mutex_lock(&l);
    pthread_mutex_unlock(&m);
    data++;
    pthread_mutex_lock(&m);
    if (--*mine == 0)
        pthread_mutex_unlock(&l);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &users[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("data %d\n", data);
}
