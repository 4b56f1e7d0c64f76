/* Mistakes that POSIX defines: relocking, unlocking what is not held, deadlines in the past.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t check = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t deep = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static struct timespec past = {1, 0}, wrong = {1, 2000000000};

static void *other(void *unused)
{
    printf("%d", pthread_mutex_unlock(&check) == EPERM);
    printf(" %d", pthread_mutex_trylock(&check) == EBUSY);
    printf(" %d", pthread_mutex_unlock(&deep) == EPERM);
    printf(" %d", pthread_mutex_timedlock(&plain, &past) == ETIMEDOUT);
    printf(" %d", pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    printf(" %d", pthread_mutex_timedlock(&plain, &wrong) == EINVAL);
    printf(" %d", pthread_rwlock_timedrdlock(&rwlock, &past) == ETIMEDOUT);
    printf(" %d\n", pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_t zero;
    sem_init(&zero, 0, 0);
    pthread_mutex_lock(&check), pthread_mutex_lock(&plain), pthread_rwlock_wrlock(&rwlock);
    printf("%d", pthread_mutex_lock(&check) == EDEADLK);
    for (int i = 0; i < 3; i++)
        pthread_mutex_lock(&deep);
    printf(" %d", pthread_rwlock_rdlock(&rwlock) == EDEADLK);
    printf(" %d", sem_timedwait(&zero, &past) == -1 && errno == ETIMEDOUT);
    printf(" %d", sem_trywait(&zero) == -1 && errno == EAGAIN);
    printf(" %d", pthread_cond_timedwait(&never, &check, &past) == ETIMEDOUT);
    printf(" %d\n", pthread_mutex_destroy(&plain) == EBUSY);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_mutex_unlock(&deep);
    printf("%d\n", pthread_mutex_unlock(&deep) == EPERM);
}
