/* Joins with time limits, tries, of ended threads, of itself, and in both directions. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;

static void *wait_at_gate(void *argument)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return argument;
}

static void *mutual(void *unused)
{
    printf("itself: %d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
    return unused;
}

int main(void)
{
    struct timespec past = {1, 0}, soon;
    pthread_t one, two;
    void *result;
    first = pthread_self();
    pthread_mutex_lock(&gate);
    pthread_create(&one, NULL, wait_at_gate, &one);
    printf("try: %d\n", pthread_tryjoin_np(one, &result) == EBUSY);
    printf("past: %d\n", pthread_timedjoin_np(one, &result, &past) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &soon);
    soon.tv_nsec += 2000000, soon.tv_sec += soon.tv_nsec / 1000000000, soon.tv_nsec %= 1000000000;
    printf("soon: %d\n", pthread_clockjoin_np(one, &result, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    pthread_mutex_unlock(&gate);
    soon.tv_sec += 1000;
    printf("later: %d", pthread_clockjoin_np(one, &result, CLOCK_MONOTONIC, &soon));
    printf(" %d\n", result == &one);
    pthread_create(&two, NULL, mutual, NULL);
    while (pthread_tryjoin_np(two, &result) == EBUSY) {
    }
}
