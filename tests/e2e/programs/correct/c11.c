// SPDX-License-Identifier: MIT
// blocks: locks
// C11 threads, with a condition, call_once and thread-specific storage.
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t changed;
static tss_t key;
static int turn, sum;

static void set_up(void)
{
    mtx_init(&lock, mtx_plain), cnd_init(&changed), tss_create(&key, NULL);
}

static int run(void *argument)
{
    call_once(&once, set_up);
    tss_set(key, argument);
    mtx_lock(&lock);
    while (turn != *(int *)tss_get(key))
        cnd_wait(&changed, &lock);
    sum = sum * 10 + ++turn;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    return 1;
}

int main(void)
{
    int number[] = {0, 1, 2}, ended = 0;
    thrd_t threads[3];
    for (int i = 2; i >= 0; i--)
        thrd_create(&threads[i], run, &number[i]);
    for (int i = 0, one; i < 3; i++)
        thrd_join(threads[i], &one), ended += one;
    printf("%d, %d ended\n", sum, ended);
}
