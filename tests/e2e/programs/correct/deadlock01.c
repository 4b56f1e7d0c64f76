// SPDX-License-Identifier: MIT
// blocks: locks
// may deadlock: the two threads take the locks in opposite order. What they do is atomic.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int counter = 1;

void *forth(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    counter++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

void *back(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    counter--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, forth, NULL);
    pthread_create(&y, NULL, back, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    printf("counter %d\n", counter);
}
