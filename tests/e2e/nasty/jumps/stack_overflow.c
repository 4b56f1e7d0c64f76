/* Stack overflows in threads are caught on alternate stacks, and the threads go on. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local sigjmp_buf back;
static int survived;

static void jump(int signal)
{
    siglongjmp(back, signal);
}

__attribute__((noinline)) static int recurse(int depth)
{
    volatile char room[500];
    room[depth % 500] = (char)depth;
    return recurse(depth + 1) + room[depth % 500];
}

static void *overflow(void *unused)
{
    stack_t stack = {.ss_size = 65536};
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    if (sigsetjmp(back, 1) == 0)
        recurse(0);
    __atomic_fetch_add(&survived, 1, __ATOMIC_SEQ_CST);
    stack.ss_flags = SS_DISABLE;
    void *old = stack.ss_sp;
    sigaltstack(&stack, NULL);
    free(old);
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = jump, .sa_flags = SA_ONSTACK};
    pthread_attr_t small;
    sigaction(SIGSEGV, &action, NULL);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 262144);
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, &small, overflow, NULL);
        pthread_join(thread, NULL);
    }
    printf("%d survived\n", survived);
}
