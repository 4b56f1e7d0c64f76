// SPDX-License-Identifier: MIT
// blocks: fill, drain
// Two phases divided by semaphores: what is filled in one is drained in the next.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t filled, drained;
int cells[3];

void fill(int x)
{
    cells[0] = cells[1] = cells[2] = x;
}

int drain(void)
{
    return cells[0] + cells[1] + cells[2];
}

void *run(void *unused)
{
    for (int round = 1; round <= 3; round++) {
        sem_wait(&drained);
        fill(round);
        sem_post(&filled);
    }
    return unused;
}
int main(void)
{
    int sum = 0;
    pthread_t t;
    sem_init(&filled, 0, 0), sem_init(&drained, 0, 1);
    pthread_create(&t, NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        sem_wait(&filled), sum += drain(), sem_post(&drained);
    pthread_join(t, NULL);
    printf("sum %d\n", sum);
}
