/* SPDX-License-Identifier: MIT */
/* A scheduler that chooses what can be done next in one critical section, and begins with it in
 * another.
 * finds: a block in work */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { UNITS = 2, ITEMS = 6 };

struct task {
    bool (*ready)(void);
    void (*run)(void);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int units = UNITS, packed, least = UNITS;

static bool can_pack(void)
{
    return units > 0;
}

static void pack(void)
{
    pthread_mutex_lock(&lock);
    units--;
    least = units < least ? units : least;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    units++;
    packed++;
    pthread_mutex_unlock(&lock);
}

static const struct task tasks[] = {{can_pack, pack}};

__attribute__((noinline)) static const struct task *select_task(void)
{
    const struct task *found = NULL;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < sizeof tasks / sizeof *tasks && !found; i++)
        if (tasks[i].ready())
            found = &tasks[i];
    pthread_mutex_unlock(&lock);
    return found;
}

static void *work(void *unused)
{
    for (int i = 0; i < ITEMS / 3; i++) {
        const struct task *task = select_task();
        if (task)
            task->run();
    }
    return unused;
}

int main(void)
{
    pthread_t workers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], NULL);
    printf("%d packed, at least %d units\n", packed, least);
    return 0;
}
