/* The reader spins until the pair is complete: what it reads meanwhile may change. A replay that
 * wants it to read earlier must end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int complete;
static int left, right;

static void fill(void)
{
    left = 1;
    right = 1;
}

static void *writer(void *unused)
{
    fill();
    atomic_store(&complete, 1);
    return unused;
}

static void await_pair(void)
{
    while (!atomic_load(&complete))
        ;
}

static int sum(void)
{
    return left + right;
}

static void *reader(void *result)
{
    await_pair();
    *(int *)result = sum();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int result = 0;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, &result);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", result);
    return 0;
}
