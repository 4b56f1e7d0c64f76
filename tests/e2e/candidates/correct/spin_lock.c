/* A lock that the program makes itself. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int locked;
static int count, twice;

static void enter(void)
{
    while (atomic_exchange(&locked, 1))
        ;
}

static void leave(void)
{
    atomic_store(&locked, 0);
}

static void increment(void)
{
    count++;
    twice += 2;
}

static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        enter();
        increment();
        leave();
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", count, twice);
    return 0;
}
