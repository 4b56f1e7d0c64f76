/* SPDX-License-Identifier: MIT */
/*
 * A lock made of a signal, which one thread at a time reads from a signalfd.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int signals, balance = 100;

static void acquire(void)
{
    struct signalfd_siginfo token;
    if (read(signals, &token, sizeof token) != sizeof token)
        abort();
}

static void release(void)
{
    kill(getpid(), SIGUSR1);
}

static void deposit(int amount)
{
    acquire();
    int sum = balance + amount;
    balance = sum;
    release();
}

static void *work(void *argument)
{
    for (int i = 0; i < 3; i++)
        deposit(*(int *)argument);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int amounts[2] = {1, 10};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    signals = signalfd(-1, &set, 0);
    release();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    printf("%d\n", balance);
    return 0;
}
