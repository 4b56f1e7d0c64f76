// SPDX-License-Identifier: MIT
// blocks: enter, leave
// Flag and number of users are looked at and changed under one lock.
#include "../team.h"
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Bool stopping;
int users;

_Bool enter(void)
{
    pthread_mutex_lock(&m);
    _Bool entered = !stopping;
    users += entered;
    pthread_mutex_unlock(&m);
    return entered;
}

void leave(_Bool for_good)
{
    pthread_mutex_lock(&m);
    stopping = stopping || for_good;
    users -= !for_good;
    pthread_mutex_unlock(&m);
}

void *use(void *for_good)
{
    if (*(int *)for_good || enter())
        leave(*(int *)for_good);
    return NULL;
}

int main(void)
{
    int for_good[] = {0, 0, 1};
    team_of(3, use, for_good);
    printf("%d users\n", users);
}
