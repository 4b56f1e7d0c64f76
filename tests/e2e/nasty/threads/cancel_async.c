/* Asynchronous cancellation of a thread that computes for ever. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile unsigned long count;
static int started;

static void *compute(void *unused)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    __atomic_store_n(&started, 1, __ATOMIC_RELEASE);
    for (;;)
        count++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        void *result;
        __atomic_store_n(&started, 0, __ATOMIC_RELEASE);
        pthread_create(&thread, NULL, compute, NULL);
        while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE))
            usleep(100);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        printf("%d %d\n", i, result == PTHREAD_CANCELED);
    }
}
