/* SPDX-License-Identifier: MIT */
/*
 * A handler counts signals, and the program takes the count while they are blocked; all
 * were handled before the sender has ended.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t pending;
static int taken;
static pthread_t target;

static void handle(int number)
{
    pending += number == SIGUSR1;
}

static void *send(void *unused)
{
    for (int i = 0; i < 3; i++)
        pthread_kill(target, SIGUSR1);
    return unused;
}

static void take(void)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    taken += pending;
    pending = 0;
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

int main(void)
{
    pthread_t sender;
    signal(SIGUSR1, handle);
    target = pthread_self();
    pthread_create(&sender, 0, send, 0);
    for (int i = 0; i < 3; i++)
        take();
    pthread_join(sender, 0);
    take();
    return taken == 0 || pending != 0;
}
