// SPDX-License-Identifier: MIT
// blocks: locks
// A bounded buffer with two conditions.
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 2, ITEMS = 6 };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t room = PTHREAD_COND_INITIALIZER, more = PTHREAD_COND_INITIALIZER;
int ring[SIZE], first, next;

void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (next - first == SIZE)
            pthread_cond_wait(&room, &m);
        ring[next++ % SIZE] = i;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    int sum = 0;
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (next == first)
            pthread_cond_wait(&more, &m);
        sum += ring[first++ % SIZE];
        pthread_cond_signal(&room);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    printf("sum %d\n", sum);
}
