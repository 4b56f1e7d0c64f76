// SPDX-License-Identifier: MIT
// blocks: set, get
// A structure is copied under a lock, by memcpy, memmove and memset.
#include "../team.h"
#include <stdio.h>
#include <string.h>

struct date {
    int year, month, day, hour;
} now;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void set(struct date *date)
{
    pthread_mutex_lock(&m);
    memset(&now, 0, sizeof now);
    memcpy(&now, date, sizeof now);
    pthread_mutex_unlock(&m);
}

struct date get(void)
{
    struct date copy;
    pthread_mutex_lock(&m);
    memmove(&copy, &now, sizeof copy);
    pthread_mutex_unlock(&m);
    return copy;
}

void *run(void *hour)
{
    set(&(struct date){2024, 2, 29, *(int *)hour});
    return get().day == 29 ? NULL : hour;
}

int main(void)
{
    team_of(3, run, (int[]){11, 12, 13});
    printf("%d-%d-%d\n", now.year, now.month, now.day);
}
