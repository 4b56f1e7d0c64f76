/* sbrk beside malloc: memory at the end of the heap comes, goes, and comes again. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *area;

static void *fill(void *argument)
{
    memset(area + (long)argument * 4096, 'a' + (int)(long)argument, 4096);
    return malloc(10);
}

int main(void)
{
    for (int round = 0; round < 5; round++) {
        pthread_t threads[4];
        void *block;
        int sum = 0;
        area = sbrk(4 * 4096);
        for (long i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, fill, (void *)i);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], &block), free(block);
        for (int i = 0; i < 4 * 4096; i++)
            sum += area[i];
        if (sbrk(0) == area + 4 * 4096)
            sbrk(-4 * 4096);
        printf("%d\n", sum);
    }
}
