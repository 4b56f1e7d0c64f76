/* Memory that moves, is given back, mapped twice, shared with a child, or never touched. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { PAGE = 4096 };

static void *map(size_t size, int flags)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

static void *twice(void *unused)
{
    int file = memfd_create("twice", 0);
    (void)!ftruncate(file, PAGE);
    int *one = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    int *two = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    one[5] = 55;
    printf("mapped twice: %d\n", two[5]);
    munmap(one, PAGE), munmap(two, PAGE), close(file);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char *block = map(4 * PAGE, MAP_PRIVATE), *huge = map(1UL << 40, MAP_PRIVATE | MAP_NORESERVE);
    int *shared = map(PAGE, MAP_SHARED);
    memset(block, 'a', 4 * PAGE);
    block = mremap(block, 4 * PAGE, 64 * PAGE, MREMAP_MAYMOVE);
    printf("moved: %c %d\n", block[4 * PAGE - 1], block[5 * PAGE]);
    madvise(block, PAGE, MADV_DONTNEED);
    printf("given back: %d %c\n", block[10], block[PAGE]);
    mmap(block + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
         0);
    printf("replaced: %d %c\n", block[PAGE], block[2 * PAGE]);
    huge[1UL << 39] = 'h';
    printf("huge: %c\n", huge[1UL << 39]);
    if (fork() == 0)
        shared[1] = 11, _exit(0);
    wait(NULL);
    printf("shared: %d\n", shared[1]);
    pthread_create(&thread, NULL, twice, NULL);
    pthread_join(thread, NULL);
    munmap(block, 64 * PAGE), munmap(huge, 1UL << 40), munmap(shared, PAGE);
}
