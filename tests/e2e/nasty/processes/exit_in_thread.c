/* A thread calls exit while others compute, wait and sleep; handlers run in that thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile unsigned long spins;

static void *compute(void *unused)
{
    for (;;)
        spins++;
    return unused;
}

static void *wait_for_ever(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    return unused;
}

static void *leave(void *unused)
{
    (void)unused;
    exit(23);
}

static void farewell(void)
{
    puts("handler");
}

int main(void)
{
    pthread_t threads[3];
    atexit(farewell);
    pthread_create(&threads[0], NULL, compute, NULL);
    pthread_create(&threads[1], NULL, wait_for_ever, NULL);
    pthread_create(&threads[2], NULL, leave, NULL);
    for (;;)
        pause();
}
