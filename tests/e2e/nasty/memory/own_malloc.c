/* The program brings its own malloc, which the runtime and the C library use, too.
   flags: -fno-builtin */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static char store[1 << 24] __attribute__((aligned(64)));
static size_t used;
static int frees;

void *malloc(size_t size)
{
    size_t at = __atomic_fetch_add(&used, (size + 31) / 16 * 16, __ATOMIC_RELAXED);
    if (at + size + 32 > sizeof store) {
        errno = ENOMEM;
        return NULL;
    }
    *(size_t *)(store + at) = size;
    return store + at + 16;
}

void free(void *block)
{
    __atomic_fetch_add(&frees, block != NULL, __ATOMIC_RELAXED);
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void *realloc(void *old, size_t size)
{
    void *block = malloc(size);
    size_t before = old ? ((size_t *)old)[-2] : 0;
    return memcpy(block, old ? old : block, before < size ? before : size);
}

static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        int *block = malloc(sizeof *block);
        *block = i;
        free(realloc(block, 100));
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", used > 2000 * 128, frees > 0);
}
