/* Every way to the heap, blocks that move, and blocks that others free.
   flags: -fno-builtin
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static char *mail[4];
static pthread_barrier_t meeting;

static void *work(void *argument)
{
    long me = (long)argument, *bad = malloc(sizeof *bad);
    *bad = 0;
    for (int i = 1; i <= 60; i++) {
        char *block = malloc((size_t)i), *aligned = aligned_alloc(64, 128),
             *zero = calloc(3, (size_t)i);
        void *posix = NULL, *old = memalign(32, 100), *page = valloc(10);
        *bad += posix_memalign(&posix, 256, (size_t)i) != 0;
        *bad += ((uintptr_t)aligned | (uintptr_t)posix) % 64 != 0 || zero[i] != 0;
        memset(block, i, (size_t)i);
        block = realloc(block, (size_t)i * 100);
        *bad += block[i - 1] != i || malloc_usable_size(block) < (size_t)i * 100;
        block = reallocarray(block, 1, 8);
        *bad += realloc(NULL, SIZE_MAX / 4) != NULL;
        block[0] = (char)me;
        mail[me] = block;
        pthread_barrier_wait(&meeting);
        char *other = mail[(me + 1) % 4];
        *bad += other[0] != (me + 1) % 4;
        free(other), free(aligned), free(zero), free(posix), free(old), free(page),
            free(strdup("text"));
        pthread_barrier_wait(&meeting);
    }
    return bad;
}

int main(void)
{
    pthread_t threads[4];
    void *bad;
    pthread_barrier_init(&meeting, NULL, 4);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &bad), printf("%ld bad\n", *(long *)bad), free(bad);
}
