/* Copies of the process that are made without the C library's fork: they record nothing. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static int child(void *unused)
{
    (void)unused;
    count(NULL);
    _exit(counter);
}

int main(void)
{
    pthread_t thread;
    int status[4];
    char *stack = malloc(65536);
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    for (int way = 0; way < 4; way++) {
        if (way == 0   ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0
            : way == 1 ? syscall(SYS_fork) == 0
                       : way == 2 && _Fork() == 0)
            child(NULL);
        if (way == 3)
            clone(child, stack + 65536, SIGCHLD, NULL);
        wait(&status[way]);
        count(NULL);
        printf("%d %d\n", WEXITSTATUS(status[way]), counter);
        counter -= 100;
    }
}
