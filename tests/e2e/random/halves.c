/* SPDX-License-Identifier: MIT */
/*
 * Two variables in one word. The second thread reads the one that the first has not written, so
 * that nothing says that it comes later, and its write of x may come before the first
 * thread's read: that must not be elided. Else an interleaving is predicted in
 * which the first thread reads 2 and does something else.
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stddef.h>

static _Alignas(8) struct {
    int a, b;
} halves;
static _Alignas(8) int x = 0;
static _Alignas(8) int y = 0;
static _Alignas(8) int more = 0;

static void *first(void *unused)
{
    (void)unused;
    if (x == 2)
        more = 1;
    SERIATIM_ATOMIC_BEGIN("first");
    halves.a = 1;
    y = 1;
    SERIATIM_ATOMIC_END();
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    int seen = halves.b;
    x = 2;
    SERIATIM_ATOMIC_BEGIN("second");
    y = 5 + seen;
    y = 6;
    SERIATIM_ATOMIC_END();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    x = 1;
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
