/* alloca, arrays of variable length, and locals of dead frames that threads of others use. */
#include <alloca.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *sum(void *argument)
{
    int *numbers = argument, total = 0;
    for (int i = 1; i <= numbers[0]; i++)
        total += numbers[i];
    numbers[0] = total;
    return NULL;
}

__attribute__((noinline)) static int by_array(int count)
{
    pthread_t thread;
    int numbers[count + 1];
    for (int i = 0; i <= count; i++)
        numbers[i] = i ? i : count;
    pthread_create(&thread, NULL, sum, numbers);
    pthread_join(thread, NULL);
    return numbers[0];
}

__attribute__((noinline)) static int by_alloca(int count)
{
    pthread_t thread;
    int *numbers = NULL;
    for (int i = 1; i <= 3; i++)
        numbers = memset(alloca((size_t)(count + 1) * sizeof *numbers), 1,
                         (size_t)(count + 1) * sizeof *numbers);
    numbers[0] = count;
    pthread_create(&thread, NULL, sum, numbers);
    pthread_join(thread, NULL);
    return numbers[0] / 0x01010101;
}

int main(void)
{
    int total = 0;
    for (int i = 1; i < 30; i++)
        total += by_array(i) + by_alloca(i * 3);
    printf("%d\n", total);
}
