// SPDX-License-Identifier: MIT
// blocks: check, pass
// A token goes round three variables; the observer looks at all under the lock.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ring[3];

void pass(int i)
{
    pthread_mutex_lock(&m);
    ring[i] = ring[(i + 2) % 3] + 1;
    pthread_mutex_unlock(&m);
}

void *run(void *unused)
{
    pass(0), pass(1), pass(2);
    return unused;
}

int check(void)
{
    pthread_mutex_lock(&m);
    int sum = ring[0] + ring[1] + ring[2];
    pthread_mutex_unlock(&m);
    return sum;
}

void *observe(void *unused)
{
    return check() >= 0 ? unused : NULL;
}

int main(void)
{
    team_of_two(observe, NULL, run, NULL);
    puts(check() > 0 ? "passed" : "stuck");
}
