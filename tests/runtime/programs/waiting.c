/* SPDX-License-Identifier: MIT */
/* Conditions, barriers and semaphores: nothing is lost, and time-outs come. */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

enum { ITEMS = 200 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, handled;
static uint32_t full, sum, round_sum;

static void *produce(void *unused)
{
    for (uint32_t i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (LOAD(full))
            pthread_cond_wait(&emptied, &lock);
        STORE(full, i);
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (uint32_t i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (!LOAD(full))
            pthread_cond_wait(&filled, &lock);
        STORE(sum, LOAD(sum) + LOAD(full));
        STORE(full, 0);
        pthread_cond_broadcast(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *go_round(void *serials)
{
    for (int i = 0; i < 20; i++) {
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_fetch_add((int *)serials, 1, __ATOMIC_SEQ_CST);
        if (i % 2)
            STORE(round_sum, (uint32_t)i);
        else
            (void)LOAD(round_sum);
    }
    return 0;
}

static void *post(void *unused)
{
    for (int i = 0; i < 50; i++)
        sem_post(&semaphore);
    return unused;
}

static void two(void *(*a)(void *), void *(*b)(void *), void *argument)
{
    pthread_t first, second;
    pthread_create(&first, 0, a, argument);
    pthread_create(&second, 0, b, argument);
    pthread_join(first, 0);
    pthread_join(second, 0);
}

static void time_out(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec -= 1;
    pthread_mutex_lock(&lock);
    MUST(pthread_cond_timedwait(&filled, &lock, &time) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += time.tv_nsec < 950000000 ? 20000000 : 0;
    MUST(pthread_cond_clockwait(&filled, &lock, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
    MUST(pthread_mutex_unlock(&lock) == 0);
    MUST(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time) == -1 && errno == ETIMEDOUT);
    MUST(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
}

static void handler(int signal)
{
    (void)signal;
    sem_post(&handled);
}

/* A handler ends a wait that nobody else could end. */
static void wait_for_signal(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    sem_init(&handled, 0, 0);
    ualarm(20000, 0);
    while (sem_wait(&handled) != 0)
        MUST(errno == EINTR);
    signal(SIGALRM, SIG_DFL);
}

int main(void)
{
    int serials = 0;
    two(produce, consume, 0);
    MUST(sum == ITEMS * (ITEMS + 1) / 2);
    pthread_barrier_init(&barrier, 0, 2);
    two(go_round, go_round, &serials);
    MUST(serials == 20);
    sem_init(&semaphore, 0, 0);
    pthread_t poster;
    pthread_create(&poster, 0, post, 0);
    for (int i = 0; i < 50; i++)
        MUST(sem_wait(&semaphore) == 0);
    pthread_join(poster, 0);
    time_out();
    wait_for_signal();
    char name[32];
    snprintf(name, sizeof name, "/seriatim-test-%d", (int)getpid());
    sem_t *named = sem_open(name, O_CREAT, 0600, 0);
    MUST(named != SEM_FAILED);
    sem_unlink(name);
    MUST(sem_post(named) == 0 && sem_wait(named) == 0);
    return 0;
}
