/* Threads end by the exit system call, behind the back of the library; others join them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static int shared;

static void *leave(void *argument)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    if (argument)
        syscall(SYS_exit, 0);
    return &shared;
}

int main(void)
{
    pthread_t threads[4];
    int returned = 0;
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, leave, (void *)(i % 2));
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        returned += result == &shared;
    }
    printf("%d %d\n", shared, returned);
}
