// SPDX-License-Identifier: MIT
// blocks: count_and_look
// C11 threads: the count is taken in one critical section and looked at in another.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int hits;

static int count_and_look(void)
{
    mtx_lock(&lock);
    hits++;
    mtx_unlock(&lock);
    mtx_lock(&lock);
    int seen = hits;
    mtx_unlock(&lock);
    return seen;
}

static int run(void *unused)
{
    (void)unused;
    return count_and_look();
}

int main(void)
{
    thrd_t threads[2];
    mtx_init(&lock, mtx_plain);
    for (int i = 0; i < 2; i++)
        if (thrd_create(&threads[i], run, NULL) != thrd_success)
            return 1;
    for (int i = 0; i < 2; i++)
        thrd_join(threads[i], NULL);
    printf("%d hits\n", hits);
    mtx_destroy(&lock);
    return 0;
}
