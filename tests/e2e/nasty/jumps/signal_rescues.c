/* All threads wait, and only a signal handler can end that: of a child's signal by a futex, of a
 * timer by a condition, of a real-time timer by a semaphore. That is no deadlock.
 * unseen: writes of handlers whose thread waits */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
enum { LONG_ENOUGH = 300000 }; /* microseconds: a deadlock would have been seen */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t alarmed = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int word, rings;

static void wake(int number)
{
    __atomic_store_n(&word, number, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 2, 0, 0, 0);
}
static void ring(int number)
{
    __atomic_fetch_add(&rings, number, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&alarmed);
}
static void post(int number)
{
    (void)number, sem_post(&posted), sem_post(&posted);
}

static void *await_word(void *unused)
{
    while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    return unused;
}
static void *await_ring(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!__atomic_load_n(&rings, __ATOMIC_SEQ_CST))
        pthread_cond_wait(&alarmed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *await_post(void *unused)
{
    while (sem_wait(&posted) != 0) {
    }
    return unused;
}

static void run_two(void *(*wait)(void *))
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    struct itimerspec when = {.it_value.tv_nsec = LONG_ENOUGH * 1000L};
    timer_t timer;
    sem_init(&posted, 0, 0);
    signal(SIGUSR1, wake);
    pid_t child = fork();
    if (child == 0) {
        usleep(LONG_ENOUGH);
        kill(getppid(), SIGUSR1);
        _exit(0);
    }
    run_two(await_word);
    waitpid(child, NULL, 0);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGALRM, ring);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = LONG_ENOUGH}, NULL);
    run_two(await_ring);
    signal(SIGALRM, SIG_DFL);
    signal(SIGRTMIN + 3, post);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &when, NULL);
    run_two(await_post);
    printf("%d %d\n", word == SIGUSR1, rings == SIGALRM);
    return 0;
}
