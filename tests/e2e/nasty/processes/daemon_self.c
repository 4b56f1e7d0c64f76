/* The program itself goes into the background; the recording ends with the parent. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int shared;

static void *count(void *unused)
{
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
    return unused;
}

static void use_threads(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    use_threads();
    printf("%d\n", shared);
    fflush(stdout);
    if (daemon(1, 0) != 0)
        return 1;
    use_threads();
    return shared != 4000;
}
