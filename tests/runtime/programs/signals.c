/* SPDX-License-Identifier: MIT */
/* Signals arrive all the time, in all threads, also inside the runtime: nothing hangs, and
 * what is recorded keeps the rules. Handlers only read, since what they do inside the
 * runtime is not recorded. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

#include "program.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t shared, turn;
static atomic_uint handled;

static void handle(int signal)
{
    (void)signal;
    (void)LOAD(shared);
    atomic_fetch_add(&handled, 1);
}

static void *work(void *argument)
{
    uint32_t me = (uint32_t)(uintptr_t)argument;
    for (uint32_t i = 0; i < 300; i++) {
        for (uint32_t k = 0; k < 200; k++)
            STORE(shared, LOAD(shared) + 1);
        pthread_mutex_lock(&lock);
        while (LOAD(turn) % 2 != me)
            pthread_cond_wait(&changed, &lock);
        STORE(turn, LOAD(turn) + 1);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        free(malloc(i));
    }
    return 0;
}

static void *disturb(void *threads)
{
    for (int i = 0; i < 300; i++) {
        pthread_kill(((pthread_t *)threads)[i % 2], SIGUSR1);
        usleep(50);
    }
    return 0;
}

int main(void)
{
    static pthread_t threads[3];
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGALRM, &action, 0);
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, 0);
    pthread_create(&threads[0], 0, work, (void *)0);
    pthread_create(&threads[1], 0, work, (void *)1);
    pthread_create(&threads[2], 0, disturb, threads);
    pthread_join(threads[2], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    setitimer(ITIMER_REAL, &never, 0);
    MUST(LOAD(turn) == 600);
    MUST(atomic_load(&handled) > 0);
    return 0;
}
