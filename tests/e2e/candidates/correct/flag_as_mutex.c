/* Only the value of the flag keeps the two apart: the reader uses the pair if it is complete. */
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

static int sum(void)
{
    return left + right;
}

static void *reader(void *result)
{
    if (atomic_load(&complete))
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
