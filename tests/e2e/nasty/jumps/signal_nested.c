/* Handlers that raise signals whose handlers raise signals, on an alternate stack, with locks. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static int order[16], filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int what)
{
    order[filled++] = what;
}

static void third(int signal)
{
    note(30 + (signal == SIGTERM));
}

static void second(int signal, siginfo_t *info, void *context)
{
    note(20 + (info->si_signo == signal && context));
    raise(SIGTERM);
    note(22);
}

static void first(int signal)
{
    note(10 + (signal == SIGUSR1));
    pthread_mutex_lock(&lock);
    raise(SIGUSR2);
    pthread_mutex_unlock(&lock);
    note(12);
}

int main(void)
{
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction action = {.sa_sigaction = second,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&stack, NULL);
    signal(SIGUSR1, first);
    sigaction(SIGUSR2, &action, NULL);
    signal(SIGTERM, third);
    raise(SIGUSR1);
    raise(SIGUSR2);
    for (int i = 0; i < filled; i++)
        printf("%d ", order[i]);
    puts("");
}
