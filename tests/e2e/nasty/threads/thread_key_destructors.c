/* Destructors of keys that set their keys again, take locks, and start threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_key_t again, starts;
static int rounds, children;

static void *child(void *unused)
{
    __atomic_fetch_add(&children, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void set_again(void *value)
{
    __atomic_fetch_add(&rounds, 1, __ATOMIC_SEQ_CST);
    long left = (long)value;
    if (left > 1)
        pthread_setspecific(again, (void *)(left - 1));
}

static void start(void *block)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    free(block);
}

static void *work(void *unused)
{
    pthread_setspecific(again, (void *)3);
    pthread_setspecific(starts, malloc(10));
    return unused;
}

int main(void)
{
    pthread_t threads[5];
    pthread_key_create(&again, set_again);
    pthread_key_create(&starts, start);
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    printf("%d rounds, %d children\n", rounds, children);
}
