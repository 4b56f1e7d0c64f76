/* Variable arguments, computed goto, switch into loops, inline assembler, nested structures by
 * value. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
static int shared;
struct large {
    int words[200];
    struct {
        char text[33];
        double number;
    } inner[5];
};

static int sum(int count, ...)
{
    va_list list, again;
    int total = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int) + (int)va_arg(list, double) + va_arg(again, int) +
                 (int)va_arg(again, double);
    va_end(again), va_end(list);
    return total;
}

static struct large change(struct large one, int at)
{
    one.words[at % 200] = at, one.inner[at % 5].number += at;
    return one;
}

static void *run(void *unused)
{
    static void *const targets[] = {&&add, &&twice, &&assembler, &&stop};
    struct large one = {{0}};
    int at = 0, value = 1;
add:
    value += sum(2, 1, 2.0, 3, 4.0);
    goto *targets[++at];
twice:
    for (int i = 0; i < 50; i++)
        one = change(one, i);
    value += one.words[49] + (int)one.inner[4].number;
    goto *targets[++at];
assembler:
    __asm__ volatile("lock; addl %1, %0" : "+m"(shared) : "r"(value) : "memory", "cc");
    goto *targets[++at];
stop:
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", shared);
}
