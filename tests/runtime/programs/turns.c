/* SPDX-License-Identifier: MIT */
/* Threads that leave out much, and fill the ring: where turns end must not depend on its room. */
#include "program.h"

enum { THREADS = 3, ROUNDS = 8000, SOME = 8, MANY = 4096 };
static uint32_t shared[4];

static uint32_t draw(uint32_t *random)
{
    *random = *random * 1103515245 + 12345;
    return *random >> 16;
}

static void *work(void *number)
{
    uint32_t random = (uint32_t)(uintptr_t)number, own = 0;
    for (int i = 0; i < ROUNDS; i++) {
        for (uint32_t left = draw(&random) % (i % SOME ? SOME : MANY); left > 0; left--)
            STORE(own, LOAD(own) + 1);
        uint32_t *one = &shared[draw(&random) % 4];
        STORE(*one, LOAD(*one) + 1);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        MUST(pthread_create(&threads[i], 0, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_join(threads[i], 0) == 0);
    return 0;
}
