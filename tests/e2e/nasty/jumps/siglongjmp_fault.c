/* Threads read through NULL and jump out of the handler, a hundred times each. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static _Thread_local sigjmp_buf back;
static int faults;
static int *volatile nowhere;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void jump(int signal)
{
    siglongjmp(back, signal);
}

static void *fault(void *unused)
{
    for (volatile int i = 0; i < 100; i++)
        if (sigsetjmp(back, 1) == 0) {
            *nowhere = i;
        } else {
            pthread_mutex_lock(&lock);
            faults++;
            pthread_mutex_unlock(&lock);
        }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    signal(SIGSEGV, jump);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, fault, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d faults\n", faults);
}
