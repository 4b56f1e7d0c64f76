/* SPDX-License-Identifier: MIT */
/* A scheduler that looks, each time it is left, for what can be done next: that decides what the
 * next free worker does, and nothing in the function that has left it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { UNITS = 2, ITEMS = 6 };

struct task {
    bool (*ready)(void);
    void (*run)(void);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int units = UNITS, waiting = ITEMS, packed, written, out = 1;
static const struct task *next_task;

static void select_task(void);

static void enter(void)
{
    pthread_mutex_lock(&lock);
}

__attribute__((noinline)) static void leave(void)
{
    select_task();
    if (next_task || written == ITEMS)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static bool can_pack(void)
{
    return waiting > 0 && units > 0;
}

static void pack(void)
{
    waiting--;
    units--;
    leave();
    enter();
    packed++;
}

static bool can_write(void)
{
    return packed > 0 && out > 0;
}

static void write_out(void)
{
    packed--;
    out--;
    leave();
    enter();
    units++;
    written++;
    out++;
}

static const struct task tasks[] = {{can_write, write_out}, {can_pack, pack}};

__attribute__((noinline)) static void select_task(void)
{
    next_task = NULL;
    for (unsigned i = 0; i < sizeof tasks / sizeof *tasks && !next_task; i++)
        if (tasks[i].ready())
            next_task = &tasks[i];
}

static void *work(void *unused)
{
    enter();
    for (;;) {
        while (next_task) {
            next_task->run();
            select_task();
        }
        if (written == ITEMS)
            break;
        pthread_cond_wait(&changed, &lock);
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t workers[3];
    select_task();
    for (int i = 0; i < 3; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], NULL);
    printf("%d written, %d units\n", written, units);
    return 0;
}
