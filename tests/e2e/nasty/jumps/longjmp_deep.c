/* longjmp out of deep frames, in several threads, also over frames that are not instrumented.
   unseen: results that the C library writes */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local jmp_buf back;
static long total;

static int dive(volatile int *depth)
{
    int local = *depth;
    if (--*depth == 0)
        longjmp(back, local + 6);
    return dive(depth) + local;
}

static int compare(const void *left, const void *right)
{
    static _Thread_local int calls;
    if (++calls % 5 == 0)
        longjmp(back, 1);
    return *(const int *)left - *(const int *)right;
}

static void *run(void *unused)
{
    for (volatile int i = 1; i <= 100; i++) {
        int numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4}, depth = i;
        if (setjmp(back) == 0)
            dive(&depth);
        else if (setjmp(back) == 0)
            qsort(numbers, 8, sizeof *numbers, compare);
        else
            __atomic_fetch_add(&total, depth + 1, __ATOMIC_RELAXED);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", total);
}
