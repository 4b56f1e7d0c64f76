// SPDX-License-Identifier: MIT
// blocks: locks
// Two threads lock the same lock.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

void *run(void *l)
{
    pthread_mutex_lock(l);
    int x = data;
    data++;
    int well = data == x + 1;
    pthread_mutex_unlock(l);
    return well ? NULL : l;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    puts(data > 0 ? "counted" : "not counted");
}
