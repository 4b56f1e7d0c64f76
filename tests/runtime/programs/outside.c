/* SPDX-License-Identifier: MIT */
/* Threads that block outside: a pipe, a sleep, and a read that is not interposed. All
 * are waited for by a thread that must run meanwhile. */
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

static int pipes[3][2];
static uint32_t steps;

static void *by_read(void *unused)
{
    char byte;
    MUST(read(pipes[0][0], &byte, 1) == 1);
    STORE(steps, LOAD(steps) + 1);
    MUST(write(pipes[1][1], "x", 1) == 1);
    return unused;
}

/* As a library that is not instrumented would: nobody gives up the token. */
static void *unseen(void *unused)
{
    char byte;
    MUST(syscall(SYS_read, pipes[1][0], &byte, 1) == 1);
    STORE(steps, LOAD(steps) + 1);
    return unused;
}

/* Waits for memory that another thread writes, without a call of the runtime. */
static void *spinning(void *unused)
{
    while (__atomic_load_n(&steps, __ATOMIC_SEQ_CST) < 2)
        continue;
    STORE(steps, LOAD(steps) + 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        MUST(pipe(pipes[i]) == 0);
    pthread_create(&threads[0], 0, unseen, 0);
    pthread_create(&threads[1], 0, by_read, 0);
    pthread_create(&threads[2], 0, spinning, 0);
    usleep(20000);
    MUST(write(pipes[0][1], "x", 1) == 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    MUST(LOAD(steps) == 3);
    return 0;
}
