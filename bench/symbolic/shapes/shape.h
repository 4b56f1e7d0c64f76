/* SPDX-License-Identifier: MIT */
/*
 * shape.h - two threads that call block, one after the other in the recorded run; what it reads is
 * locked, and what it writes, but not both together. For bench/symbolic/models --programs.
 */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define ENTER pthread_mutex_lock(&lock)
#define LEAVE pthread_mutex_unlock(&lock)

void block(int me);

static void *first(void *unused)
{
    block(1);
    return unused;
}

static void *second(void *unused)
{
    block(2);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
