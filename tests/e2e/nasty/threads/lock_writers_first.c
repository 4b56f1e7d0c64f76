/* Locks that let no reader in while a writer waits: writers that give up let the readers go on. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static sem_t held, done;
static int value, readers, late, refused;

static struct timespec soon(long ns)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += ns;
    time.tv_sec += time.tv_nsec / 1000000000, time.tv_nsec %= 1000000000;
    return time;
}

static void *hold(void *unused)
{
    pthread_rwlock_rdlock(&lock), sem_post(&held), sem_wait(&done), pthread_rwlock_unlock(&lock);
    return unused;
}

static void *give_up(void *unused)
{
    struct timespec time = soon(3000000);
    late = pthread_rwlock_timedwrlock(&lock, &time);
    return unused;
}

static void *read_once(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    __atomic_fetch_add(&readers, 1 + value, __ATOMIC_RELAXED);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *mix(void *argument)
{
    for (int i = 0; i < 40; i++) {
        struct timespec time = soon(50000);
        if (pthread_rwlock_timedwrlock(&lock, &time) == 0)
            value++, pthread_rwlock_unlock(&lock);
        read_once(argument);
        if (pthread_rwlock_tryrdlock(&lock) == 0)
            refused += value < 0, pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock), value = 0, pthread_rwlock_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    void *(*const work[])(void *) = {hold, give_up, read_once, read_once};
    pthread_t threads[4];
    sem_init(&held, 0, 0), sem_init(&done, 0, 0);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work[i], NULL);
        if (i == 0)
            sem_wait(&held);
    }
    for (int i = 1; i < 4; i++)
        pthread_join(threads[i], NULL);
    sem_post(&done), pthread_join(threads[0], NULL);
    printf("%s, %d readers\n", late ? "late" : "written", readers);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, mix, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d, %d refused\n", value, refused);
}
