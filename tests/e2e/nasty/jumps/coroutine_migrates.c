/* One coroutine is resumed by one thread after the other. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t task, home;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int steps, turn;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;

__attribute__((noinline)) static int step(int number)
{
    int local = number, *escapes = &local;
    swapcontext(&task, &home);
    steps += *escapes == number;
    return local;
}

static void body(void)
{
    for (int i = 0; i < 30; i++)
        step(i);
}

static void *resume(void *argument)
{
    for (int round = 0; round < 10; round++) {
        pthread_mutex_lock(&lock);
        while (turn % 3 != (long)argument)
            pthread_cond_wait(&next, &lock);
        swapcontext(&home, &task);
        turn++;
        pthread_cond_broadcast(&next);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    getcontext(&task);
    task.uc_stack.ss_sp = malloc(65536);
    task.uc_stack.ss_size = 65536;
    task.uc_link = &home;
    makecontext(&task, body, 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, resume, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    swapcontext(&home, &task);
    printf("%d steps\n", steps);
}
