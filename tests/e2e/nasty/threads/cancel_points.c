/* Threads are cancelled in each of many calls that block; all cleanup handlers run. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static int ends[2], cleaned, ready;
static sem_t never;
static pthread_t first;

static void clean(void *unused)
{
    (void)unused, __atomic_fetch_add(&cleaned, 1, __ATOMIC_SEQ_CST);
}

static void *block(void *argument)
{
    char byte;
    struct timespec long_time = {1000, 0};
    struct pollfd end = {ends[0], POLLIN, 0};
    pthread_cleanup_push(clean, NULL);
    __atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
    switch ((long)argument) {
    case 0:
        pause();
        break;
    case 1:
        (void)!read(ends[0], &byte, 1);
        break;
    case 2:
        sem_wait(&never);
        break;
    case 3:
        nanosleep(&long_time, NULL);
        break;
    case 4:
        poll(&end, 1, -1);
        break;
    case 5:
        pthread_join(first, NULL);
        break;
    default:
        for (;;)
            pthread_testcancel();
    }
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t threads[7];
    int cancelled = 0;
    void *result;
    sem_init(&never, 0, 0);
    if (pipe(ends) != 0)
        return 1;
    for (long i = 0; i < 7; i++)
        pthread_create(&threads[i], NULL, block, (void *)i), first = threads[0];
    while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < 7)
        usleep(1000);
    for (int i = 6; i >= 0; i--) {
        pthread_cancel(threads[i]);
        pthread_join(threads[i], &result);
        cancelled += result == PTHREAD_CANCELED;
    }
    printf("%d cancelled, %d cleaned\n", cancelled, cleaned);
}
