// SPDX-License-Identifier: MIT
// blocks: mark
// Threads get their place from a global that moves on while they read it.
#include <pthread.h>
#include <stdio.h>

enum { N = 4 };
int array[N + 1], place;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int here(void)
{
    pthread_mutex_lock(&m);
    int p = place;
    pthread_mutex_unlock(&m);
    return p;
}

void *mark(void *unused)
{
    array[here()] = 1 + here();
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&t[i], NULL, mark, NULL);
        pthread_mutex_lock(&m);
        place++;
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    printf("place %d\n", place);
}
