/* SPDX-License-Identifier: MIT */
/* Free lists behind a mutex. What is mapped, how and where, is chosen by SBRK; with SPIN a lock of
 * atomics is taken as well. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
typedef struct block {
    size_t size;
    struct block *next;
} block;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static block *lists[48];
static char *at, *end;
static int spin;
static void start(void)
{
    size_t size = (size_t)1 << 26;
#ifdef SBRK
    at = sbrk((intptr_t)size);
    at += (64 - (uintptr_t)at % 64) % 64;
    size -= 64;
#else
    at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#endif
    end = at + size;
}
static void enter(void)
{
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
#ifdef SPIN
    while (__atomic_exchange_n(&spin, 1, __ATOMIC_ACQUIRE))
        sched_yield();
#endif
}
static void leave(void)
{
    __atomic_store_n(&spin, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}
static int class_of(size_t size)
{
    int class = 5;
    while (((size_t)1 << class) < size)
        class ++;
    return class;
}
void *malloc(size_t size)
{
    int class = class_of(size + sizeof(block));
    enter();
    block *found = lists[class];
    if (found) {
        lists[class] = found->next;
    } else {
        found = (block *)at;
        at += (size_t)1 << class;
    }
    found->size = (size_t)1 << class;
    leave();
    return found + 1;
}
void free(void *memory)
{
    block *freed = (block *)memory - 1;
    if (!memory)
        return;
    if (freed->size == 0)
        freed = freed->next;
    int class = class_of(freed->size);
    enter();
    freed->next = lists[class];
    lists[class] = freed;
    leave();
}
void *calloc(size_t count, size_t size)
{
    return memset(malloc(count * size), 0, count * size);
}
void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    size_t old = ((block *)memory - 1)->size - sizeof(block);
    void *moved = memcpy(malloc(size), memory, old < size ? old : size);
    free(memory);
    return moved;
}
void *memalign(size_t alignment, size_t size)
{
    block *found = malloc(size + 2 * alignment + sizeof(block));
    block *moved = (block *)(((uintptr_t)(found + 1) + alignment) & ~(alignment - 1));
    moved[-1] = (block){0, found - 1};
    return moved;
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = memalign(alignment, size);
    return 0;
}
