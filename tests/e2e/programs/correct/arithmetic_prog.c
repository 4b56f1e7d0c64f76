// SPDX-License-Identifier: MIT
// blocks: locks
// A producer hands numbers, one at a time, to a consumer that adds them up.
#include <pthread.h>
#include <stdio.h>

enum { N = 4 };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
int number, total;

void *produce(void *unused)
{
    for (int i = 1; i <= N; i++) {
        pthread_mutex_lock(&m);
        while (number != 0)
            pthread_cond_wait(&empty, &m);
        number = i;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 1; i <= N; i++) {
        pthread_mutex_lock(&m);
        while (number == 0)
            pthread_cond_wait(&full, &m);
        total += number;
        number = 0;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    printf("total %d\n", total);
}
