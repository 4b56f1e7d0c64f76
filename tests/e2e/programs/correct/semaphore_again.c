// SPDX-License-Identifier: MIT
// blocks: publish, sum, count
// A semaphore of one is a mutex. Initialised again with zero it is a message: what is left of the
// earlier one lets nobody in.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t gate;
int first, second, counter;

__attribute__((noinline)) void count(void)
{
    int before = counter;
    counter = before + 1;
}

__attribute__((noinline)) void publish(void)
{
    first = 1;
    second = 2;
}

__attribute__((noinline)) int sum(void)
{
    return first + second;
}

void *enter(void *unused)
{
    sem_wait(&gate);
    count();
    sem_post(&gate);
    return unused;
}

void *produce(void *unused)
{
    publish();
    sem_post(&gate);
    return unused;
}

void *consume(void *result)
{
    sem_wait(&gate);
    *(int *)result = sum();
    return NULL;
}

void both(void *(*one)(void *), void *(*other)(void *), void *argument)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, argument);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    int result = 0;
    sem_init(&gate, 0, 1);
    both(enter, enter, NULL);
    sem_init(&gate, 0, 0);
    both(produce, consume, &result);
    sem_destroy(&gate);
    printf("%d %d\n", result, counter);
}
