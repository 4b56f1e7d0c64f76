/* Recursion of a hundred thousand calls, huge frames, and threads with the smallest stack. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int total;

__attribute__((noinline)) static int recurse(int depth, int *parent)
{
    int local = depth + *parent % 2;
    if (depth == 0)
        return 1;
    return recurse(depth - 1, &local) + local % 3;
}

__attribute__((noinline)) static int huge(int number)
{
    char room[3 << 20];
    memset(room, number, sizeof room);
    return room[number * 1000] + room[sizeof room - 1];
}

static void *deep(void *unused)
{
    int zero = 0;
    __atomic_fetch_add(&total, recurse(100000, &zero) + huge(7), __ATOMIC_RELAXED);
    return unused;
}

static void *tiny(void *unused)
{
    __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t threads[6];
    pthread_attr_t large, small;
    pthread_attr_init(&large), pthread_attr_setstacksize(&large, 64 << 20);
    pthread_attr_init(&small), pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], i < 2 ? &large : &small, i < 2 ? deep : tiny, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", total);
}
