/* unseen: handlers of threads that wait are not recorded
 *
 * Which calls a signal ends (EINTR), with SA_RESTART and without. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static pthread_t target;
static int pipes[2];
static sem_t sem;

static void handle(int number)
{
    got += number == SIGUSR1;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 10000000}, 0);
}

static void *send(void *helps)
{
    nap();
    pthread_kill(target, SIGUSR1);
    if (helps) {
        nap();
        sem_post(&sem);
        if (write(pipes[1], "y", 1) != 1)
            perror("write");
    }
    return 0;
}

static int call(int which)
{
    char byte;
    if (which == 0)
        return sem_wait(&sem);
    if (which == 1)
        return read(pipes[0], &byte, 1) == 1 ? 0 : -1;
    if (which == 2)
        return nanosleep(&(struct timespec){100, 0}, 0);
    return pause();
}

static void try(int which, int flags, int helps)
{
    pthread_t sender;
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    sigaction(SIGUSR1, &action, 0);
    got = 0;
    pthread_create(&sender, 0, send, helps ? &sem : 0);
    int result = call(which), error = errno;
    pthread_join(sender, 0);
    printf("%d, flags %d: %d %s, handled %d\n", which, flags != 0, result,
           result < 0 && error == EINTR ? "EINTR" : "-", got);
}

int main(void)
{
    target = pthread_self();
    sem_init(&sem, 0, 0);
    if (pipe(pipes) != 0)
        return 1;
    for (int which = 0; which < 4; which++)
        try(which, 0, 0);
    try(0, SA_RESTART, 1);
    try(1, SA_RESTART, 1);
    try(2, SA_RESTART, 0);
    return 0;
}
