// SPDX-License-Identifier: MIT
// blocks: mark
// Threads get their place as their argument.
#include <pthread.h>
#include <stdio.h>

enum { N = 4 };
int array[N], sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void mark(int *place)
{
    pthread_mutex_lock(&m);
    *place = 1;
    sum += *place;
    pthread_mutex_unlock(&m);
}

void *run(void *place)
{
    mark(place);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, run, &array[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    printf("sum %d\n", sum);
}
