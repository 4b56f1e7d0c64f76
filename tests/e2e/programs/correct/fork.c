// SPDX-License-Identifier: MIT
// blocks: locks
// A child process has memory of its own, and threads of its own.
#include "../team.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;

void *run(void *n)
{
    pthread_mutex_lock(&m);
    sum += *(int *)n;
    sum += *(int *)n;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    int n[] = {1, 2}, status;
    team_of(2, run, n);
    pid_t child = fork();
    if (child == 0) {
        team_of(2, run, n);
        _exit(sum);
    }
    waitpid(child, &status, 0);
    team_of(2, run, n);
    printf("child %d, parent %d\n", WEXITSTATUS(status), sum);
    return 7;
}
