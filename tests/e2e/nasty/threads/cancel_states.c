/* Cancellation that is disabled, pending, enabled again; before the thread starts; twice; of
 * itself. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_barrier_t meeting;
static int steps;

static void *deaf(void *unused)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
    pthread_testcancel();
    usleep(10);
    steps++;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    steps += 100;
    return unused;
}

static void *at_once(void *unused)
{
    for (;;)
        pthread_testcancel();
    return unused;
}

static void *itself(void *unused)
{
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    void *results[3];
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&threads[0], NULL, deaf, NULL);
    pthread_barrier_wait(&meeting);
    pthread_cancel(threads[0]), pthread_cancel(threads[0]);
    pthread_barrier_wait(&meeting);
    pthread_create(&threads[1], NULL, at_once, NULL);
    pthread_cancel(threads[1]);
    pthread_create(&threads[2], NULL, itself, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], &results[i]), printf("%d\n", results[i] == PTHREAD_CANCELED);
    printf("%d steps\n", steps);
}
