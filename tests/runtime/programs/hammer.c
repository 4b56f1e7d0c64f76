/* SPDX-License-Identifier: MIT */
/* Threads write and read the same words without any lock, in sizes that overlap. */
#include "program.h"

static union {
    uint32_t words[4];
    uint16_t halves[8];
    uint64_t longs[2];
} shared;
static uint32_t rounds = 100000;

static void *hammer(void *argument)
{
    uint32_t me = (uint32_t)(uintptr_t)argument;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        STORE(shared.words[i % 4], me << 24 | i);
        sum += LOAD(shared.words[(i + 1) % 4]);
        if (i % 8 == 0)
            __seriatim_store2(&shared.halves[i / 8 % 8], (uint16_t)i, SITE("half"));
        if (i % 16 == 0)
            sum += (uint32_t)__seriatim_load8(&shared.longs[i / 16 % 2], SITE("long"));
        if (i % 32 == 0) {
            char copy[16];
            __seriatim_load_n(&shared, copy, 16, SITE("all"));
            __seriatim_atomic_rmw4(&shared.words[0], 1, 1, SITE("rmw"));
        }
    }
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 2;
    if (argc > 2)
        rounds = (uint32_t)atoi(argv[2]);
    pthread_t threads[64];
    for (uintptr_t i = 0; i < count; i++)
        pthread_create(&threads[i], 0, hammer, (void *)(i + 1));
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    if (argc > 3) { /* signal that it ended */
        FILE *file = fopen(argv[3], "w");
        MUST(file && fclose(file) == 0);
    }
    return 0;
}
