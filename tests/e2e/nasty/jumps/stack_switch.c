/* A thread goes to a stack of its own making by an assembler instruction, and comes back. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void on_other_stack(void *argument)
{
    int local[100] = {0}, *escapes = local;
    for (int i = 0; i < 100; i++)
        escapes[i] = *(int *)argument + i;
    pthread_mutex_lock(&lock);
    total += escapes[99];
    pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void call_on(void *stack_end, void (*function)(void *),
                                              void *argument)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%rsp\n\tcallq *%1\n\tmovq %%rbx, %%rsp"
                     :
                     : "r"(stack_end), "r"(function), "D"(argument)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");
}

static void *run(void *argument)
{
    char *stack = aligned_alloc(64, 262144);
    for (int i = 0; i < 20; i++)
        call_on(stack + 262144, on_other_stack, argument);
    free(stack);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int numbers[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", total);
}
