/* A thread is cancelled in pthread_cond_wait while another hammers the mutex. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, stop, unlocked;

static void unlock(void *unused)
{
    (void)unused;
    unlocked++;
    pthread_mutex_unlock(&lock);
}

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, NULL);
    __atomic_store_n(&waiting, 1, __ATOMIC_RELEASE);
    for (;;)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(0);
    return unused;
}

static void *hammer(void *unused)
{
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
        pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], NULL, waiter, NULL);
    pthread_create(&threads[1], NULL, hammer, NULL);
    while (!__atomic_load_n(&waiting, __ATOMIC_ACQUIRE))
        usleep(100);
    pthread_cancel(threads[0]);
    pthread_join(threads[0], &result);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    pthread_join(threads[1], NULL);
    printf("%d %d\n", result == PTHREAD_CANCELED, unlocked);
}
