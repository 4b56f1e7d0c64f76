// SPDX-License-Identifier: MIT
// blocks: locks
// Two threads lock, but not the same lock.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int data;

void *run(void *lock)
{
    pthread_mutex_lock(lock);
    int x = data;
    data++;
    int well = data == x + 1;
    pthread_mutex_unlock(lock);
    return well ? NULL : lock;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &locks[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    puts(data > 0 ? "counted" : "not counted");
}
