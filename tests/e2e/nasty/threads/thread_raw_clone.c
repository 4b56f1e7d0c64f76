/* A thread made by the clone system call, without the library, writes memory of the others. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int shared, ended;

__attribute__((no_sanitize("thread"), optnone)) static int raw(void *argument)
{
    shared = *(int *)argument + 1;
    return 0;
}

static void *count(void *unused)
{
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int number = 41, status;
    char *stack = malloc(65536);
    pthread_create(&thread, NULL, count, NULL);
    pid_t child = clone(raw, stack + 65536, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, &number);
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    printf("%d %d %d\n", shared, ended, WEXITSTATUS(status));
    free(stack);
}
