/* A timer's handler jumps out of a loop of accesses, locks and allocations, again and again. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static sigjmp_buf back;
static volatile int armed, shared[16];

static void jump(int signal)
{
    if (armed)
        siglongjmp(back, signal);
}

static void *beside(void *unused)
{
    for (int i = 0; i < 100000; i++)
        shared[i % 16] = i;
    return unused;
}

int main(void)
{
    struct itimerval soon = {{0, 0}, {0, 2000}};
    pthread_t thread;
    volatile int jumps = 0;
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    signal(SIGALRM, jump);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_create(&thread, NULL, beside, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    while (jumps < 20)
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            setitimer(ITIMER_REAL, &soon, NULL);
            for (;;)
                shared[3]++;
        } else {
            armed = 0, jumps++;
        }
    pthread_join(thread, NULL);
    printf("%d jumps\n", jumps);
}
