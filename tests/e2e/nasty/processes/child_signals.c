/* Twenty children at once are reaped in the handler of SIGCHLD.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t reaped, sum;

static void reap(int signal)
{
    int status;
    (void)signal;
    while (waitpid(-1, &status, WNOHANG) > 0)
        reaped++, sum += WEXITSTATUS(status);
}

static void *beside(void *unused)
{
    static int words[64];
    for (int i = 0; i < 20000; i++)
        words[i % 64] += i;
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigset_t child, before;
    signal(SIGCHLD, reap);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, &before);
    pthread_create(&thread, NULL, beside, NULL);
    for (int i = 0; i < 20; i++)
        if (fork() == 0)
            _exit(i);
    while (reaped < 20)
        sigsuspend(&before);
    pthread_join(thread, NULL);
    printf("%d children, sum %d\n", (int)reaped, (int)sum);
}
