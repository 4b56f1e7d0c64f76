/* Reader-writer locks, spin locks, barriers, adaptive, ceiling and inheriting mutexes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
/* Only the first allows a second read lock of the same thread while a writer waits. */
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t writers_first = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, inherits, ceiling;
static int written, preferred, spun, serial, counts[3], bad;

static void *work(void *unused)
{
    for (int i = 0; i < 50; i++) {
        pthread_rwlock_wrlock(&rwlock), written++, pthread_rwlock_unlock(&rwlock);
        pthread_rwlock_rdlock(&rwlock);
        int first = written;
        pthread_rwlock_rdlock(&rwlock);
        __atomic_fetch_add(&bad, first != written, __ATOMIC_RELAXED);
        pthread_rwlock_unlock(&rwlock), pthread_rwlock_unlock(&rwlock);
        pthread_rwlock_wrlock(&writers_first), first = ++preferred;
        pthread_rwlock_unlock(&writers_first), pthread_rwlock_rdlock(&writers_first);
        __atomic_fetch_add(&bad, first > preferred, __ATOMIC_RELAXED);
        pthread_rwlock_unlock(&writers_first);
        pthread_spin_lock(&spin), spun++, pthread_spin_unlock(&spin);
        pthread_mutex_lock(&adaptive), counts[0]++, pthread_mutex_unlock(&adaptive);
        pthread_mutex_lock(&inherits), counts[1]++, pthread_mutex_unlock(&inherits);
        if (pthread_mutex_lock(&ceiling) == 0)
            counts[2]++, pthread_mutex_unlock(&ceiling);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_fetch_add(&serial, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    pthread_mutexattr_t inherit;
    pthread_mutexattr_init(&inherit);
    pthread_mutexattr_setprotocol(&inherit, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inherits, &inherit), pthread_mutex_init(&ceiling, NULL);
    pthread_spin_init(&spin, 0), pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d %d %d %d, %d bad\n", written, preferred, spun, counts[0], counts[1],
           counts[2], serial, bad);
    return pthread_spin_destroy(&spin) + pthread_barrier_destroy(&barrier);
}
