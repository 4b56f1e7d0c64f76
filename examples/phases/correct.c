/* SPDX-License-Identifier: MIT
 *
 * phases, the correct twin: the leader chooses before the barrier.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdatomic.h>
#include <stdio.h>

enum { WORKERS = 2 };

static pthread_barrier_t barrier;
static atomic_int start = 0, end = 10;

static void choose_range(void)
{
    SERIATIM_ATOMIC_BEGIN("choose_range");
    start = 100;
    end = 110;
    SERIATIM_ATOMIC_END();
}

static int length(void)
{
    SERIATIM_ATOMIC_BEGIN("length");
    int from = start;
    int length = end - from;
    SERIATIM_ATOMIC_END();
    return length;
}

static void *work(void *argument)
{
    pthread_barrier_wait(&barrier);
    *(int *)argument = length();
    return NULL;
}

static void *lead(void *unused)
{
    (void)unused;
    choose_range();
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t leader, workers[WORKERS];
    int lengths[WORKERS];
    pthread_barrier_init(&barrier, NULL, WORKERS + 1);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, &lengths[i]);
    pthread_create(&leader, NULL, lead, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(leader, NULL);
    for (int i = 0; i < WORKERS; i++)
        printf("length %d\n", lengths[i]);
    pthread_barrier_destroy(&barrier);
    return 0;
}
