/* A child may only read, write and end, on pain of SIGKILL; threads of the parent go on. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int shared[100];

static void *work(void *unused)
{
    for (int i = 0; i < 5000; i++)
        shared[i % 100] = i % 100;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int status;
    pthread_create(&thread, NULL, work, NULL);
    if (fork() == 0) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        work(NULL);
        (void)!write(1, "strict child\n", 13);
        syscall(SYS_exit, shared[50]);
    }
    wait(&status);
    pthread_join(thread, NULL);
    printf("%d %d\n", shared[99], WEXITSTATUS(status));
}
