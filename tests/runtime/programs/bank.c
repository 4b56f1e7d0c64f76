/* SPDX-License-Identifier: MIT */
/* Two tellers, one lock, no lost update: the sum says whether the lock locks. */
#include "program.h"

enum { TIMES = 1000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t balance;

static void *teller(void *unused)
{
    uint32_t depth = __seriatim_enter(SITE(0));
    for (int i = 0; i < TIMES; i++) {
        AT();
        pthread_mutex_lock(&lock);
        STORE(balance, LOAD(balance) + 1);
        AT();
        pthread_mutex_unlock(&lock);
    }
    __seriatim_leave(depth);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&threads[i], 0, teller, &balance) == 0);
    for (int i = 0; i < 3; i++) {
        void *result;
        MUST(pthread_join(threads[i], &result) == 0 && result == &balance);
    }
    MUST(balance == 3 * TIMES);
    return 7;
}
