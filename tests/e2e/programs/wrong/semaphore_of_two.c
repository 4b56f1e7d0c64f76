// SPDX-License-Identifier: MIT
// blocks: count
// A semaphore that is initialised with two lets two threads in.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t door;
volatile int counter;

__attribute__((noinline)) int count(void)
{
    int before = counter;
    counter = before + 1;
    return before;
}

void *work(void *unused)
{
    sem_wait(&door);
    count();
    sem_post(&door);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&door, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    sem_destroy(&door);
    puts(counter > 0 ? "counted" : "not counted");
}
