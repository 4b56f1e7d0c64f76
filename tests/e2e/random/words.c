/* SPDX-License-Identifier: MIT */
/*
 * A random program of few words that threads share in every way: words SEED [correct].
 *
 * Whole words, halves, bytes and what straddles words are read and written, in marked blocks,
 * in critical sections and outside, before threads start, while they run, and after they were
 * joined. Where an odd value is read, a thread makes a step more: an interleaving
 * in which something is read that cannot be read there is found out when it is replayed.
 * What a thread does next stands in its registers, so that the trace has little else. Turns
 * end at sched_yield: with long ones a seed makes one run, whatever is recorded of it. With
 * `correct` all of it is done in sections of one lock, and so are the blocks.
 */
#include <pthread.h>
#include <sched.h>
#include <seriatim/annotate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, FEWEST = 3, MOST = 10, CHILDREN = 2 };
#define INLINE static inline __attribute__((always_inline))

typedef int64_t any8 __attribute__((aligned(1), may_alias));
typedef int32_t any4 __attribute__((aligned(1), may_alias));

static _Alignas(64) char memory[8 * MOST];
static _Alignas(64) int own[THREADS + CHILDREN][32];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t seed;
static int correct;

INLINE unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* Mostly the halves of words. Returns what is read. */
INLINE int64_t use_bytes(uint64_t *state, unsigned count)
{
    int writes = draw(state, 2) == 0;
    int64_t value = draw(state, 4);
    char *word = memory + (size_t)8 * draw(state, count);
    switch (draw(state, 6)) {
    case 0:
        return writes ? *(any8 *)word = value, 0 : *(any8 *)word;
    case 1:
        word = memory + 1 + draw(state, 8 * count - 8);
        return writes ? *(any8 *)word = value, 0 : *(any8 *)word;
    case 2:
        word += draw(state, 8);
        return writes ? *word = (char)value, 0 : *word;
    default:
        word += (size_t)4 * draw(state, 2);
        return writes ? *(any4 *)word = (int)value, 0 : *(any4 *)word;
    }
}

INLINE void use_range(uint64_t *state, int number)
{
    unsigned from = draw(state, 8), size = 17 + draw(state, 32);
    if (draw(state, 2))
        memset(memory + from, (int)draw(state, 2), size);
    else
        memcpy(own[number] + 1, memory + from, size);
    if (draw(state, 2) && own[number][2] % 2)
        own[number][0]++;
}

INLINE void step(uint64_t *state, int number)
{
    const unsigned count = FEWEST + (unsigned)(seed / 4 % (MOST - FEWEST + 1));
    if (seed % 4 == 3 && draw(state, 6) == 0) /* replays cannot divide them */
        use_range(state, number);
    else if (use_bytes(state, count) % 2)
        own[number][0]++;
    if (draw(state, 3) == 0)
        sched_yield();
}

INLINE void steps(uint64_t *state, int number, unsigned count)
{
    for (; count > 0; count--)
        step(state, number);
}

INLINE void locked(uint64_t *state, int number)
{
    pthread_mutex_lock(&lock);
    steps(state, number, 1 + draw(state, 3));
    pthread_mutex_unlock(&lock);
}

INLINE void block(uint64_t *state, int number, int count)
{
    char name[] = "b0.0";
    name[1] = (char)('0' + number);
    name[3] = (char)('0' + count);
    SERIATIM_ATOMIC_BEGIN(name);
    if (correct)
        locked(state, number);
    else
        steps(state, number, 2 + draw(state, 2));
    SERIATIM_ATOMIC_END();
}

static void *work(void *argument);

INLINE void start_and_join(uint64_t *state, int number)
{
    pthread_t child;
    pthread_create(&child, NULL, work, (void *)(intptr_t)(number + THREADS));
    if (!correct)
        steps(state, number, draw(state, 3));
    pthread_join(child, NULL);
}

/* Only one thread starts others, when all have started: so their numbers are always the same. */
INLINE void act(uint64_t *state, int number, int *blocks, int *children)
{
    switch (draw(state, 6)) {
    case 0:
    case 1:
        block(state, number, (*blocks)++);
        break;
    case 2:
        locked(state, number);
        break;
    case 3:
        if (number == 0 && *children == 0)
            start_and_join(state, number + (*children)++);
        break;
    default:
        if (!correct)
            step(state, number);
    }
}

static pthread_barrier_t all_started;

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument, blocks = 0, children = 0;
    uint64_t state = seed * 1000 + (uint64_t)number * 7919;
    draw(&state, 2);
    if (number < THREADS)
        pthread_barrier_wait(&all_started);
    for (unsigned count = 3 + draw(&state, 5); count > 0; count--)
        act(&state, number, &blocks, &children);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    correct = argc > 2 && strcmp(argv[2], "correct") == 0;
    uint64_t state = seed;
    pthread_barrier_init(&all_started, NULL, THREADS);
    for (unsigned count = draw(&state, 4); count > 0; count--)
        use_bytes(&state, FEWEST);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned count = draw(&state, 4); count > 0; count--)
        use_bytes(&state, FEWEST);
    return 0;
}
