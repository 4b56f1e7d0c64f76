/* One thread takes all signals by sigwait, sigtimedwait and signalfd; values by sigqueue. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
static sigset_t all;

static void *receive(void *unused)
{
    struct timespec now = {0, 1000}, later = {100, 0};
    struct signalfd_siginfo by_file;
    siginfo_t info;
    int number;
    sigwait(&all, &number);
    printf("sigwait %d\n", number == SIGUSR1);
    kill(getpid(), SIGUSR2);
    number = sigtimedwait(&all, &info, &later);
    printf("sigtimedwait %d\n", number == SIGUSR2);
    number = sigtimedwait(&all, &info, &now);
    printf("none %d %d\n", number, errno == EAGAIN);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 41});
    sigwaitinfo(&all, &info);
    printf("sigqueue %d\n", info.si_value.sival_int);
    int descriptor = signalfd(-1, &all, 0);
    raise(SIGUSR1);
    (void)!read(descriptor, &by_file, sizeof by_file);
    printf("signalfd %d\n", by_file.ssi_signo == SIGUSR1);
    close(descriptor);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&all);
    sigaddset(&all, SIGUSR1), sigaddset(&all, SIGUSR2), sigaddset(&all, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&thread, NULL, receive, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
}
