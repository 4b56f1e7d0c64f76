/* SPDX-License-Identifier: MIT */
/*
 * Pages that change hands: pages SEED [correct].
 *
 * Buffers of some pages go round between threads that meet at a barrier; each thread has words
 * of its own in a page that all use, one accesses two pages at once, all map, protect and unmap
 * pages, and hand blocks that they have made larger to the next thread. A page that is mapped
 * for reading is written by each thread once, when all have read it. Later threads get the
 * stacks of those before. The exit status says whether every value was the right one. Only the
 * blocks are not atomic, but for `correct`, where they hold a lock.
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { THREADS = 3, GENERATIONS = 3, ROUNDS = 6, PAGE = 4096, WORDS = 3 * PAGE / 8, SMALL = 300 };

static _Alignas(PAGE) struct {
    long own[THREADS];
    long first, second; /* what the blocks write */
    char bytes[2 * PAGE];
} common;
static long *buffers[THREADS];
static long *handed[THREADS];
static long *constants; /* but for one word of each thread */
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool correct;
static unsigned step; /* from one word to the next */

/* How many words of a buffer are not what the thread before has left there. */
static long take_buffer(long *buffer, long expected)
{
    long wrong = 0;
    for (unsigned i = 0; i < WORDS; i += step) {
        wrong += buffer[i] != expected;
        buffer[i] = expected + 1;
    }
    return wrong;
}

/* Sixteen bytes; those of the first thread lie in two pages. */
static long cross_pages(int me, int round)
{
    unsigned char value[16],
        *at = (unsigned char *)(((uintptr_t)common.bytes + PAGE) / PAGE * PAGE);
    at += me * 16 - 8;
    memset(value, round, sizeof value);
    memcpy(at, value, sizeof value);
    return memcmp(at, value, sizeof value) != 0;
}

static long map_pages(int me)
{
    long wrong = 0,
         *words = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED)
        return 1;
    for (int i = 0; i < 2 * PAGE / 8; i += 5) {
        wrong += words[i] != 0;
        words[i] = me;
    }
    wrong += mprotect(words, PAGE, PROT_READ) != 0 || words[5] != me;
    return wrong + (munmap(words, (size_t)2 * PAGE) != 0);
}

/* Gives a block to the next thread, and looks at what the one before has given. */
static long hand_on(int me)
{
    long wrong = 0, *block = malloc(SMALL * sizeof *block);
    for (int i = 0; i < SMALL; i++)
        block[i] = i;
    block = realloc(block, 10 * SMALL * sizeof *block);
    free(__atomic_exchange_n(&handed[(me + 1) % THREADS], block, __ATOMIC_ACQ_REL));
    block = __atomic_exchange_n(&handed[me], NULL, __ATOMIC_ACQ_REL);
    for (int i = 0; block && i < SMALL; i++)
        wrong += block[i] != i;
    free(block);
    return wrong;
}

/* The thread whose turn it is writes its word, which the others do not read meanwhile. */
static long use_constants(int me, int round)
{
    long wrong = 0;
    int writer = round - ROUNDS / 2;
    for (unsigned i = 0; i < PAGE / sizeof *constants; i += i < THREADS ? 1 : step)
        if ((int)i != writer)
            wrong += constants[i] != (i < THREADS && writer > (int)i);
    if (me != writer)
        return wrong;
    wrong += mprotect(constants, PAGE, PROT_READ | PROT_WRITE) != 0;
    constants[me]++;
    return wrong + (constants[me] != 1);
}

static void write_both(int me)
{
    if (correct)
        pthread_mutex_lock(&lock);
    SERIATIM_ATOMIC_BEGIN("both");
    common.first = me;
    common.second = me;
    SERIATIM_ATOMIC_END();
    if (correct)
        pthread_mutex_unlock(&lock);
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    long wrong = 0, before = common.own[me];
    for (int round = 0; round < ROUNDS; round++) {
        wrong += take_buffer(buffers[(me + round) % THREADS], before + round);
        common.own[me]++;
        wrong += cross_pages(me, round) + map_pages(me) + hand_on(me) + use_constants(me, round);
        write_both(me);
        pthread_barrier_wait(&barrier);
    }
    return (void *)(wrong + (common.own[me] != before + ROUNDS));
}

static long run_threads(void)
{
    pthread_t threads[THREADS];
    long wrong = 0;
    constants = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (constants == MAP_FAILED)
        return 1;
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    return wrong + (munmap(constants, PAGE) != 0);
}

int main(int count, char **arguments)
{
    long wrong = 0;
    step = 1 + (count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) % 7 : 0);
    correct = count > 2;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        buffers[i] = calloc(WORDS, sizeof *buffers[i]);
    for (int i = 0; i < GENERATIONS; i++)
        wrong += run_threads();
    return wrong != 0;
}
