/* SPDX-License-Identifier: MIT */
/* A signal arrives behind every instruction for a while, also of the runtime. Now and then its
 * handler reads what another thread has written, which is recorded, with the open calls, which had
 * been elided: every call still gets its own return. */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#include "program.h"

enum { ROUNDS = 300, EVERY = 512 };
static _Alignas(64) uint32_t shared;
static _Alignas(64) uint32_t own; /* its accesses, and calls, are elided */
static unsigned traps, random_state = 1;

static void read_shared(void)
{
    uint32_t depth = __seriatim_enter(SITE(0));
    (void)LOAD(shared);
    __seriatim_leave(depth);
}

static void handle(int signal)
{
    (void)signal;
    traps++;
    random_state = random_state * 1103515245 + 12345;
    if ((random_state >> 16) % EVERY == 0)
        read_shared();
}

static void inner(void)
{
    uint32_t depth = __seriatim_enter(SITE(0));
    STORE(own, LOAD(own) + 1);
    __seriatim_leave(depth);
}

static void outer(void)
{
    uint32_t depth = __seriatim_enter(SITE(0));
    inner();
    inner();
    __seriatim_leave(depth);
}

/* By the processor's trap flag, or as often as a timer can. */
static void trap(bool on)
{
#if defined(__x86_64__)
    uint64_t flags = __builtin_ia32_readeflags_u64(), flag = 0x100;
    __builtin_ia32_writeeflags_u64(on ? flags | flag : flags & ~flag);
#else
    struct itimerval often = {{0, on}, {0, on}};
    setitimer(ITIMER_REAL, &often, 0);
#endif
}

static void *write_shared(void *unused)
{
    STORE(shared, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGTRAP, &action, 0);
    sigaction(SIGALRM, &action, 0);
    MUST(pthread_create(&thread, 0, write_shared, 0) == 0);
    while (!LOAD(shared))
        sched_yield();
    outer();
    trap(true);
    for (int i = 0; i < ROUNDS; i++)
        outer();
    trap(false);
    MUST(pthread_join(thread, 0) == 0);
    MUST(traps > 0 && LOAD(own) == 2 + 2 * ROUNDS);
    return 0;
}
