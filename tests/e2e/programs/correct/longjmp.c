// SPDX-License-Identifier: MIT
// blocks: try_it
// A jump leaves two calls at once; blocks end with their calls.
#include "../team.h"
#include <setjmp.h>
#include <stdio.h>

_Thread_local jmp_buf back;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int tries, jumps;

void try_it(int n)
{
    pthread_mutex_lock(&m);
    tries += n;
    tries -= n - 1;
    pthread_mutex_unlock(&m);
    longjmp(back, 1);
}

void *run(void *n)
{
    if (setjmp(back) == 0)
        try_it(*(int *)n);
    pthread_mutex_lock(&m);
    jumps++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    jumps++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    team_of(3, run, (int[]){5, 6, 7});
    printf("%d tries, %d jumps\n", tries, jumps);
}
