/* SPDX-License-Identifier: MIT */
/* Blocks of 24, 16 and no bytes take turns in the same memory; each is freed once. */
#include <pthread.h>
#include <stdlib.h>

static long *shared;

static void *fill(void *last)
{
    shared[0] = 1;
    shared[(long)last] = 3;
    return NULL;
}

static void use(long last)
{
    pthread_t thread;
    shared[last] = 1;
    pthread_create(&thread, NULL, fill, (void *)last);
    pthread_join(thread, NULL);
    free(shared);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        shared = malloc(3 * sizeof *shared);
        use(2);
        shared = malloc(2 * sizeof *shared);
        use(1);
        free(malloc(0));
    }
    return 0;
}
