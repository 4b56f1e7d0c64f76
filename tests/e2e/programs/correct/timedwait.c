// SPDX-License-Identifier: MIT
// blocks: locks
// A wait that times out, and one that does not.
#include "../team.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t done = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
int results, timeouts;

void *run(void *unused)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&m);
    if (pthread_cond_timedwait(&never, &m, &now) == ETIMEDOUT)
        timeouts++;
    results++;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&m);
    return unused;
}

void *collect(void *unused)
{
    struct timespec later = {time(NULL) + 60, 0};
    pthread_mutex_lock(&m);
    while (results == 0)
        pthread_cond_timedwait(&done, &m, &later);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    team_of_two(run, NULL, collect, NULL);
    printf("%d results, %d timeouts\n", results, timeouts);
}
