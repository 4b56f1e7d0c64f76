/* SPDX-License-Identifier: MIT */
/*
 * A random program with threads: threads SEED [correct].
 *
 * What each thread does follows from the seed alone, never from what it reads, so every
 * violation that is predicted must be shown when it is replayed. Locks are taken in the order
 * of their numbers, waits are for what is certain to come: no run can block for ever. With
 * `correct` every block holds one lock for as long as it lasts: then nothing may be predicted.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <seriatim/annotate.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VARIABLES = 3, LOCKS = 3, MOST_THREADS = 4, ROUNDS = 2 };

static int variables[VARIABLES];
static atomic_int counters[VARIABLES];
static pthread_mutex_t locks[LOCKS], big = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t stock;
static int arrived[ROUNDS]; /* under locks[0] */
static unsigned threads;

/* Each thread copies and fills its own buffers; of one, the word in the middle is everybody's. A
 * range is one operation, so that no more than one word of it may be shared. */
enum { WORDS = 24, MIDDLE = 11 };
static _Alignas(64) uint64_t buffers[MOST_THREADS][WORDS], copies[MOST_THREADS][WORDS];
static _Thread_local unsigned self;
static uint64_t seed;
static int correct;

static unsigned next(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

static void touch(uint64_t *state)
{
    unsigned which = next(state, VARIABLES);
    if (next(state, 2))
        variables[which] = (int)next(state, 100);
    else if (variables[which] == -1)
        abort();
}

static void touch_atomic(uint64_t *state)
{
    unsigned which = next(state, VARIABLES);
    switch (next(state, 3)) {
    case 0:
        atomic_fetch_add(&counters[which], 1);
        break;
    case 1:
        atomic_store(&counters[which], 7);
        break;
    default:
        if (atomic_load(&counters[which]) == -1)
            abort();
    }
}

static void touch_buffers(uint64_t *state)
{
    uint64_t *word = &buffers[next(state, threads)][MIDDLE];
    switch (next(state, 4)) {
    case 0:
        memset(buffers[self], 1, sizeof buffers[self]);
        break;
    case 1:
        memcpy(copies[self], buffers[self], sizeof copies[self]);
        break;
    case 2:
        *word = 5;
        break;
    default:
        if (*word == UINT64_MAX)
            abort();
    }
}

static void under_locks(uint64_t *state)
{
    unsigned first = next(state, LOCKS), second = first + 1 + next(state, 2);
    pthread_mutex_lock(&locks[first]);
    touch(state);
    if (second < LOCKS)
        pthread_mutex_lock(&locks[second]);
    touch(state);
    if (second < LOCKS)
        pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
}

static void under_rwlock(uint64_t *state)
{
    if (next(state, 2)) {
        pthread_rwlock_wrlock(&rwlock);
        touch(state);
    } else {
        pthread_rwlock_rdlock(&rwlock);
        if (variables[next(state, VARIABLES)] == -1)
            abort();
    }
    pthread_rwlock_unlock(&rwlock);
}

static void with_semaphore(uint64_t *state)
{
    sem_wait(&stock);
    touch(state);
    sem_post(&stock);
}

static void try_lock(uint64_t *state)
{
    unsigned which = next(state, LOCKS);
    uint64_t own = *state;
    if (pthread_mutex_trylock(&locks[which]) == 0) {
        touch(&own);
        pthread_mutex_unlock(&locks[which]);
    }
}

/* A wait that nobody ends but time. */
static void wait_in_vain(uint64_t *state)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec = (time.tv_nsec + 2000000) % 1000000000;
    time.tv_sec += time.tv_nsec < 2000000;
    pthread_cond_t own = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&locks[2]);
    touch(state);
    pthread_cond_timedwait(&own, &locks[2], &time);
    touch(state);
    pthread_mutex_unlock(&locks[2]);
    pthread_cond_destroy(&own);
}

static void act(uint64_t *state)
{
    static void (*const acts[])(uint64_t *) = {touch,       touch_atomic,   under_locks,
                                               under_locks, touch_buffers,  under_rwlock,
                                               try_lock,    with_semaphore, wait_in_vain};
    acts[next(state, next(state, 8) ? 8 : 9)](state);
}

static void block(uint64_t *state)
{
    SERIATIM_ATOMIC_BEGIN("block");
    if (correct)
        pthread_mutex_lock(&big);
    for (unsigned i = 2 + next(state, 2); i > 0; i--)
        if (correct)
            touch(state);
        else
            act(state);
    if (correct)
        pthread_mutex_unlock(&big);
    SERIATIM_ATOMIC_END();
}

/* All threads meet: at a barrier, or the last one wakes the others. */
static void meet(unsigned round, int with_barrier)
{
    if (with_barrier) {
        pthread_barrier_wait(&barrier);
        return;
    }
    pthread_mutex_lock(&locks[0]);
    if (++arrived[round] == (int)threads)
        pthread_cond_broadcast(&condition);
    while (arrived[round] < (int)threads)
        pthread_cond_wait(&condition, &locks[0]);
    pthread_mutex_unlock(&locks[0]);
}

static void *work(void *number)
{
    uint64_t common = seed, state = seed * 1000 + (uintptr_t)number;
    self = (unsigned)(uintptr_t)number;
    next(&state, 2);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = next(&state, 3); i > 0; i--)
            if (next(&state, 3) == 0 && !correct)
                act(&state);
            else
                block(&state);
        unsigned how = next(&common, 4);
        if (how > 1)
            meet(round, how == 2);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t handles[MOST_THREADS];
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    correct = argc > 2 && strcmp(argv[2], "correct") == 0;
    uint64_t state = seed;
    threads = 2 + next(&state, MOST_THREADS - 1);
    sem_init(&stock, 0, 1 + next(&state, 2));
    pthread_barrier_init(&barrier, NULL, threads);
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (uintptr_t i = 0; i < threads; i++)
        pthread_create(&handles[i], NULL, work, (void *)i);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(handles[i], NULL);
    return 0;
}
