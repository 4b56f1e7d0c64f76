/* SPDX-License-Identifier: MIT */
/* Every kind of lock does what POSIX says, while another thread holds it and after. */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checking, robust;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t meeting;
static uint32_t counter;

static struct timespec soon(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += 20000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void make(pthread_mutex_t *mutex, int type, int robustness)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robustness);
    pthread_mutex_init(mutex, &attributes);
}

static void *holder(void *unused)
{
    pthread_mutex_lock(&normal);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&robust);
    pthread_rwlock_wrlock(&shared);
    pthread_spin_lock(&spin);
    pthread_barrier_wait(&meeting); /* the other one tries */
    pthread_barrier_wait(&meeting);
    pthread_mutex_unlock(&normal);
    MUST(pthread_mutex_unlock(&recursive) == 0);
    MUST(pthread_mutex_unlock(&recursive) == 0);
    MUST(pthread_mutex_unlock(&recursive) == EPERM);
    pthread_mutex_unlock(&checking);
    pthread_rwlock_unlock(&shared);
    pthread_spin_unlock(&spin);
    return unused; /* robust stays locked */
}

static void try_held(void)
{
    struct timespec real = soon(CLOCK_REALTIME), steady = soon(CLOCK_MONOTONIC);
    MUST(pthread_mutex_trylock(&normal) == EBUSY);
    MUST(pthread_mutex_trylock(&recursive) == EBUSY);
    MUST(pthread_mutex_timedlock(&normal, &real) == ETIMEDOUT);
    MUST(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &steady) == ETIMEDOUT);
    MUST(pthread_mutex_unlock(&checking) == EPERM);
    MUST(pthread_mutex_trylock(&robust) == EBUSY);
    MUST(pthread_rwlock_tryrdlock(&shared) == EBUSY);
    MUST(pthread_rwlock_trywrlock(&shared) == EBUSY);
    MUST(pthread_rwlock_timedrdlock(&shared, &real) == ETIMEDOUT);
    MUST(pthread_rwlock_clockwrlock(&shared, CLOCK_MONOTONIC, &steady) == ETIMEDOUT);
    MUST(pthread_spin_trylock(&spin) == EBUSY);
    struct timespec wrong = {0, -1};
    MUST(pthread_mutex_timedlock(&normal, &wrong) == EINVAL);
}

static void take_free(void)
{
    MUST(pthread_mutex_lock(&checking) == 0);
    MUST(pthread_mutex_lock(&checking) == EDEADLK);
    MUST(pthread_mutex_unlock(&checking) == 0);
    MUST(pthread_mutex_lock(&robust) == EOWNERDEAD);
    MUST(pthread_mutex_consistent(&robust) == 0);
    MUST(pthread_mutex_unlock(&robust) == 0);
    MUST(pthread_rwlock_rdlock(&shared) == 0);
    MUST(pthread_rwlock_tryrdlock(&shared) == 0);
    MUST(pthread_rwlock_trywrlock(&shared) == EBUSY);
    MUST(pthread_rwlock_unlock(&shared) == 0);
    MUST(pthread_rwlock_unlock(&shared) == 0);
    MUST(pthread_rwlock_wrlock(&shared) == 0);
    MUST(pthread_rwlock_wrlock(&shared) == EDEADLK);
    MUST(pthread_rwlock_unlock(&shared) == 0);
}

static void *worker(void *unused)
{
    for (int i = 0; i < 300; i++) {
        pthread_spin_lock(&spin);
        STORE(counter, LOAD(counter) + 1);
        pthread_spin_unlock(&spin);
        if (i % 3 == 0) {
            pthread_rwlock_wrlock(&shared);
            pthread_rwlock_unlock(&shared);
        } else {
            pthread_rwlock_rdlock(&shared);
            (void)LOAD(counter);
            pthread_rwlock_unlock(&shared);
        }
    }
    return unused;
}

int main(void)
{
    pthread_t thread, workers[4];
    make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&meeting, 0, 2);
    pthread_create(&thread, 0, holder, 0);
    pthread_barrier_wait(&meeting);
    try_held();
    pthread_barrier_wait(&meeting);
    pthread_mutex_lock(&normal);
    pthread_mutex_unlock(&normal);
    pthread_join(thread, 0);
    take_free();
    for (int i = 0; i < 4; i++)
        pthread_create(&workers[i], 0, worker, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(workers[i], 0);
    MUST(counter == 1200);
    return 0;
}
