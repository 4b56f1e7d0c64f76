// SPDX-License-Identifier: MIT
// blocks: locks
// Two bit-fields share a word, and a lock.
#include "../team.h"
#include <stdio.h>

struct {
    unsigned red : 8, green : 8;
} colour;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *set_red(void *unused)
{
    pthread_mutex_lock(&lock);
    colour.red = 10;
    unsigned seen = colour.red;
    pthread_mutex_unlock(&lock);
    return seen == 10 ? NULL : unused;
}

void *set_green(void *unused)
{
    pthread_mutex_lock(&lock);
    colour.green = 20;
    unsigned seen = colour.green;
    pthread_mutex_unlock(&lock);
    return seen == 20 ? NULL : unused;
}

int main(void)
{
    team_of_two(set_red, NULL, set_green, NULL);
    printf("%u %u\n", colour.red, colour.green);
}
