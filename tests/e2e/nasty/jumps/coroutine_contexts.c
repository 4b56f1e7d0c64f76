/* Coroutines with makecontext and swapcontext in two threads, each with its own scheduler. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
enum { TASKS = 4, STEPS = 50, STACK = 65536 };
struct group {
    ucontext_t home, tasks[TASKS];
    long sum;
    int at;
};
static _Thread_local struct group *mine;

static void task(int number)
{
    for (int i = 0; i < STEPS; i++) {
        mine->sum += number;
        swapcontext(&mine->tasks[number], &mine->home);
    }
    mine->sum += 1000;
}

static void *run(void *argument)
{
    struct group *group = mine = argument;
    void *stacks[TASKS];
    for (int i = 0; i < TASKS; i++) {
        getcontext(&group->tasks[i]);
        group->tasks[i].uc_stack.ss_sp = stacks[i] = malloc(STACK);
        group->tasks[i].uc_stack.ss_size = STACK;
        group->tasks[i].uc_link = &group->home;
        makecontext(&group->tasks[i], (void (*)(void))task, 1, i);
    }
    for (int step = 0; step <= STEPS; step++)
        for (group->at = 0; group->at < TASKS; group->at++)
            swapcontext(&group->home, &group->tasks[group->at]);
    for (int i = 0; i < TASKS; i++)
        free(stacks[i]);
    return NULL;
}

int main(void)
{
    static struct group groups[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &groups[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL), printf("%ld\n", groups[i].sum);
}
