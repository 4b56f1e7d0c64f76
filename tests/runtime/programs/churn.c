/* SPDX-License-Identifier: MIT */
/* Many short threads, some made by threads, some detached: argv[1] in all; with argv[2],
 * so many at once that wait for each other. */
#include <unistd.h>

#include "program.h"

static uint32_t words[2];
static pthread_barrier_t all;

static void touch(void)
{
    for (uint32_t i = 0; i < 20; i++)
        STORE(words[i % 2], LOAD(words[(i + 1) % 2]) + 1);
}

static void *leaf(void *unused)
{
    touch();
    return unused;
}

static void *branch(void *unused)
{
    pthread_t children[3];
    touch();
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&children[i], 0, leaf, 0) == 0);
    touch();
    pthread_detach(children[2]);
    for (int i = 0; i < 2; i++)
        MUST(pthread_join(children[i], 0) == 0);
    return unused;
}

static void *meet(void *unused)
{
    touch();
    pthread_barrier_wait(&all);
    touch();
    return unused;
}

static void gather(unsigned count)
{
    pthread_t threads[1000];
    MUST(count <= 1000);
    pthread_barrier_init(&all, 0, count + 1);
    for (unsigned i = 0; i < count; i++)
        MUST(pthread_create(&threads[i], 0, meet, 0) == 0);
    pthread_barrier_wait(&all);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], 0);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 0; i < count; i += 8) {
        pthread_t threads[2];
        for (int k = 0; k < 2; k++)
            MUST(pthread_create(&threads[k], 0, branch, 0) == 0);
        for (int k = 0; k < 2; k++)
            pthread_join(threads[k], 0);
    }
    if (argc > 2)
        gather((unsigned)atoi(argv[2]));
    usleep(20000); /* for the detached ones */
    return 0;
}
