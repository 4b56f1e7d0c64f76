/* timer_create with a signal and with a thread for each expiry; timerfd beside it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
static sem_t fired;
static int by_signal, by_thread;

static void on_signal(int signal)
{
    (void)signal, __atomic_fetch_add(&by_signal, 1, __ATOMIC_SEQ_CST), sem_post(&fired);
}
static void on_thread(union sigval value)
{
    __atomic_fetch_add(&by_thread, value.sival_int, __ATOMIC_SEQ_CST);
    sem_post(&fired);
}

int main(void)
{
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    struct sigevent signal_event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct sigevent thread_event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 7};
    timer_t timers[2];
    uint64_t expiries = 0;
    thread_event.sigev_notify_function = on_thread;
    sem_init(&fired, 0, 0);
    signal(SIGRTMIN, on_signal);
    timer_create(CLOCK_MONOTONIC, &signal_event, &timers[0]);
    timer_create(CLOCK_MONOTONIC, &thread_event, &timers[1]);
    for (int round = 0; round < 10; round++) {
        timer_settime(timers[round % 2], 0, &soon, NULL);
        while (sem_wait(&fired) != 0) {
        }
    }
    int descriptor = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(descriptor, 0, &soon, NULL);
    (void)!read(descriptor, &expiries, sizeof expiries);
    printf("%d %d %d\n", by_signal, by_thread, (int)expiries);
    timer_delete(timers[0]), timer_delete(timers[1]);
}
