/* SPDX-License-Identifier: MIT */
/* Two locks in two orders: a deadlock under every schedule, by a barrier. */
#include "program.h"

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t barrier;

static void *embrace(void *argument)
{
    uintptr_t me = (uintptr_t)argument;
    pthread_mutex_lock(&locks[me]);
    pthread_barrier_wait(&barrier);
    AT();
    pthread_mutex_lock(&locks[1 - me]);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, 0, 2);
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, embrace, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
