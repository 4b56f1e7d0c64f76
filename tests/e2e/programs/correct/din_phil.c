// SPDX-License-Identifier: MIT
// blocks: locks
// may deadlock: all take the left fork first. A meal is atomic.
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };
pthread_mutex_t fork_[N];
int used[N];

void *dine(void *seat)
{
    int left = *(int *)seat, right = (left + 1) % N;
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]);
    used[left]++;
    used[right]++;
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return NULL;
}

int main(void)
{
    int seat[N];
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (int i = 0; i < N; i++) {
        seat[i] = i;
        pthread_create(&t[i], NULL, dine, &seat[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    printf("%d %d %d\n", used[0], used[1], used[2]);
}
