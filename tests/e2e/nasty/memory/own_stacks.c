/* Threads on stacks from malloc, from static memory and between guard pages, used again and again.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
enum { SIZE = 131072 };
static char fixed[SIZE] __attribute__((aligned(4096)));

static void *fill(void *argument)
{
    int room[1000], *escapes = room;
    for (int i = 0; i < 1000; i++)
        escapes[i] = i;
    __atomic_fetch_add((long *)argument, escapes[999], __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    char *guarded = mmap(NULL, SIZE + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long total = 0;
    mprotect(guarded + 4096, SIZE, PROT_READ | PROT_WRITE);
    for (int round = 0; round < 20; round++) {
        char *block = aligned_alloc(4096, SIZE), *stacks[] = {fixed, block, guarded + 4096};
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) {
            pthread_attr_t attributes;
            pthread_attr_init(&attributes);
            pthread_attr_setstack(&attributes, stacks[i], SIZE);
            pthread_create(&threads[i], &attributes, fill, &total);
        }
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        fixed[0] = block[100] = 1;
        free(block);
    }
    printf("%ld\n", total);
}
