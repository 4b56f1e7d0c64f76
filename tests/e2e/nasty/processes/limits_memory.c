/* Address space is short: allocations, mappings and threads fail as they should, others do not.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
static int count;

static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        void *volatile block = malloc(100);
        __atomic_fetch_add(&count, block != NULL, __ATOMIC_RELAXED);
        free(block);
    }
    return unused;
}

static void use_threads(int wanted)
{
    pthread_t threads[8];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 32768);
    for (int i = 0; i < wanted; i++)
        if (pthread_create(&threads[i], &small, work, NULL) != 0)
            exit(1);
    for (int i = 0; i < wanted; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    long pages = 0;
    use_threads(2);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        return 1;
    fclose(file);
    struct rlimit limit = {(rlim_t)pages * 4096 + (8 << 20), RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    void *volatile large = malloc(1 << 28);
    void *mapped = mmap(NULL, 1 << 28, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    use_threads(8);
    printf("%d %d %d\n", large == NULL, mapped == MAP_FAILED, count);
}
