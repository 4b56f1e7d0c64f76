/* Two thousand threads are alive at once. */
#include <pthread.h>
#include <stdio.h>
enum { COUNT = 2000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, all_here = PTHREAD_COND_INITIALIZER;
static int here, started;
static long sum;

static void *stay(void *argument)
{
    pthread_mutex_lock(&lock);
    if (++here == COUNT)
        pthread_cond_signal(&all_here);
    while (!started)
        pthread_cond_wait(&go, &lock);
    sum += (long)argument;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    static pthread_t threads[COUNT];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (long i = 0; i < COUNT; i++)
        if (pthread_create(&threads[i], &small, stay, (void *)i) != 0)
            return 1;
    pthread_mutex_lock(&lock);
    while (here < COUNT)
        pthread_cond_wait(&all_here, &lock);
    started = 1;
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", sum);
}
