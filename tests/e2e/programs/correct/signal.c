// SPDX-License-Identifier: MIT
// blocks: locks
// A signal's handler counts; threads signal themselves.
#include "../team.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int signals;
int rounds;

void handler(int number)
{
    (void)number;
    signals++;
}

void *run(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
        pthread_mutex_lock(&m);
        rounds++;
        pthread_mutex_unlock(&m);
        pthread_kill(pthread_self(), SIGUSR1);
    }
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    team_of(2, run, (int[]){2, 3});
    raise(SIGUSR1);
    printf("%d rounds, %d signals\n", rounds, signals);
}
