/* A timer ticks. Calls that block end with EINTR, or are restarted, as the handler was installed.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t restarts;
static int ends[2];
static sem_t semaphore;

static void handle(int signal)
{
    (void)signal;
    if (restarts && ++restarts == 4)
        (void)!write(ends[1], "x", 1);
}

static void arm(int flags)
{
    struct itimerval soon = {{0, 3000}, {0, 3000}};
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

int main(void)
{
    char byte;
    struct timespec long_time = {100, 0};
    if (pipe(ends) != 0)
        return 1;
    sem_init(&semaphore, 0, 0);
    arm(0), printf("read %d", (int)read(ends[0], &byte, 1)), printf(" %d\n", errno == EINTR);
    arm(0), printf("poll %d", poll(NULL, 0, 100000)), printf(" %d\n", errno == EINTR);
    arm(SA_RESTART), printf("sleep %d", nanosleep(&long_time, &long_time)),
        printf(" %d\n", errno == EINTR);
    arm(0), printf("sem_wait %d", sem_wait(&semaphore)), printf(" %d\n", errno == EINTR);
    restarts = 1, arm(SA_RESTART), printf("read again %d\n", (int)read(ends[0], &byte, 1));
    printf("rest of the sleep %d\n", long_time.tv_sec > 50);
}
