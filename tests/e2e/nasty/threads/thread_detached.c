/* Detached threads, by attribute and by themselves, that outlive those who started them. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
static sem_t done;
static int sum;

static void *leaf(void *argument)
{
    __atomic_fetch_add(&sum, *(int *)argument, __ATOMIC_SEQ_CST);
    free(argument);
    sem_post(&done);
    return NULL;
}

static void *branch(void *argument)
{
    pthread_attr_t detached;
    pthread_t thread;
    pthread_detach(pthread_self());
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 3; i++) {
        int *number = malloc(sizeof *number);
        *number = (int)(long)argument * 10 + i;
        pthread_create(&thread, &detached, leaf, number);
    }
    pthread_attr_destroy(&detached);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    for (long i = 0; i < 5; i++)
        pthread_create(&thread, NULL, branch, (void *)i);
    for (int i = 0; i < 15; i++)
        sem_wait(&done);
    printf("%d\n", sum);
}
