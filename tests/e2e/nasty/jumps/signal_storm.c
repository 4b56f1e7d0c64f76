/* Many signals reach threads that access memory, lock and allocate; the handler counts.
   unseen: handlers that come while the thread sleeps in the runtime */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
enum { SIGNALS = 60 };
static int handled[2], stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long words[32];

static void count(int signal)
{
    __atomic_fetch_add(&handled[signal == SIGUSR1], 1, __ATOMIC_SEQ_CST);
}

static void *work(void *unused)
{
    for (long i = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); i++) {
        pthread_mutex_lock(&lock);
        words[i % 32]++;
        pthread_mutex_unlock(&lock);
        free(malloc(100));
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    signal(SIGUSR1, count), signal(SIGUSR2, count);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 1; i <= SIGNALS; i++) {
        pthread_kill(threads[0], SIGUSR2), pthread_kill(threads[1], SIGUSR1);
        while (__atomic_load_n(&handled[0], __ATOMIC_SEQ_CST) < i ||
               __atomic_load_n(&handled[1], __ATOMIC_SEQ_CST) < i)
            sched_yield();
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", handled[0], handled[1]);
}
