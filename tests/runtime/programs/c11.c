/* SPDX-License-Identifier: MIT */
/* C11's threads, and what runs once. */
#include <threads.h>
#include <time.h>

#include "program.h"

static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static uint32_t turn, onces;

static void once(void)
{
    STORE(onces, LOAD(onces) + 1);
    thrd_yield(); /* the others come while it runs */
    struct timespec time = {0, 2000000};
    thrd_sleep(&time, 0);
    STORE(onces, LOAD(onces) + 1);
}

static int play(void *argument)
{
    uint32_t me = (uint32_t)(uintptr_t)argument;
    call_once(&flag, once);
    MUST(LOAD(onces) >= 2);
    pthread_once(&control, once);
    MUST(LOAD(onces) == 4);
    for (int i = 0; i < 50; i++) {
        mtx_lock(&lock);
        while (LOAD(turn) % 2 != me)
            cnd_wait(&changed, &lock);
        STORE(turn, LOAD(turn) + 1);
        cnd_signal(&changed);
        mtx_unlock(&lock);
    }
    return 40 + (int)me;
}

int main(void)
{
    thrd_t threads[2];
    mtx_init(&lock, mtx_timed);
    cnd_init(&changed);
    for (uintptr_t i = 0; i < 2; i++)
        MUST(thrd_create(&threads[i], play, (void *)i) == thrd_success);
    for (int i = 0; i < 2; i++) {
        int result;
        MUST(thrd_join(threads[i], &result) == thrd_success && result == 40 + i);
    }
    MUST(turn == 100);
    MUST(mtx_trylock(&lock) == thrd_success && mtx_trylock(&lock) == thrd_busy);
    struct timespec past = {0, 0};
    MUST(mtx_timedlock(&lock, &past) == thrd_timedout);
    MUST(cnd_timedwait(&changed, &lock, &past) == thrd_timedout);
    MUST(mtx_unlock(&lock) == thrd_success);
    return 0;
}
