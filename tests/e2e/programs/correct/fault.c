// SPDX-License-Identifier: MIT
// blocks: locks
// An access that faults is left by siglongjmp out of the signal's handler, and never ends.
#include "../team.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sigjmp_buf back;
int total;

void handler(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

int is_readable(volatile int *place)
{
    if (sigsetjmp(back, 1))
        return 0;
    (void)*place;
    return 1;
}

void *look(void *readable)
{
    for (long address = 8; address < 32; address += 4)
        *(int *)readable += is_readable((int *)address);
    return NULL;
}

void *count(void *n)
{
    for (int i = 0; i < *(int *)n; i++) {
        pthread_mutex_lock(&m);
        total++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    int readable = is_readable(&total), n = 100;
    signal(SIGSEGV, handler);
    team_of_two(look, &readable, count, &n);
    printf("%d %d\n", readable, total);
}
