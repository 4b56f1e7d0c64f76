/* block: work. A lock that looks until the flag is free before it tries again. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_bool taken;
static int count, copy;

__attribute__((noinline)) void work(void)
{
    while (atomic_exchange(&taken, true))
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            ;
    count++;
    copy = count;
    count = copy + 1;
    atomic_store(&taken, false);
}

static void *start(void *unused)
{
    work();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, start, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", count, copy);
    return 0;
}
