/* SPDX-License-Identifier: MIT */
/*
 * cancel WHO WHERE [async]: another thread cancels main, or a thread, which is at some place, and
 * joins it. The cleanup handlers have run then, and no lock is left.
 */
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_cond_t shared_condition;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ends[2];
static uint32_t count;
static bool async;
static pthread_t victim;
static uint32_t arrived, cancelled, cleaned, stop;

static void set(uint32_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
}

static bool is_set(uint32_t *flag)
{
    return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

static void await(uint32_t *flag)
{
    while (!is_set(flag))
        sched_yield();
}

static void clean(void *unused)
{
    (void)unused;
    set(&cleaned);
}

static void unlock(void *lock)
{
    MUST(pthread_mutex_unlock(lock) == 0);
}

static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* --- places ----------------------------------------------------------------- */

static void in_pause(void)
{
    for (;;)
        pause();
}

static void in_read(void)
{
    char byte;
    MUST(read(ends[0], &byte, 1) == 1);
}

static void in_sigwait(void)
{
    sigset_t signals;
    int number;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigwait(&signals, &number);
}

static void wait_for(pthread_cond_t *which)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(which, &mutex);
    pthread_cleanup_pop(0);
}

static void in_condition(void)
{
    wait_for(&condition);
}

static void in_shared_condition(void)
{
    wait_for(&shared_condition);
}

static void in_semaphore(void)
{
    sem_wait(&semaphore);
}

static void in_join(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, sleep_for_ever, 0);
    pthread_join(thread, 0);
}

static void in_loop(void)
{
    for (;;) {
        STORE(count, LOAD(count) + 1);
        pthread_testcancel();
    }
}

/* While it cannot be cancelled. */
static void in_disabled(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    MUST(before == PTHREAD_CANCEL_ENABLE);
    await(&cancelled);
    for (int i = 0; i < 100; i++)
        STORE(count, LOAD(count) + 1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(before, 0);
    pthread_testcancel();
}

/* Only asynchronously: */

static void in_accesses(void)
{
    for (;;)
        STORE(count, LOAD(count) + 1);
}

static void in_computation(void)
{
    for (;;)
        __asm__ volatile("" ::: "memory");
}

static void in_mutex(void)
{
    pthread_mutex_lock(&held);
}

static void in_rwlock(void)
{
    while (pthread_rwlock_rdlock(&rwlock)) /* main has it */
        pause();
}

static void in_barrier(void)
{
    pthread_barrier_wait(&barrier);
}

static const struct {
    const char *name;
    void (*be_there)(void);
} places[] = {
    {"pause", in_pause},
    {"read", in_read},
    {"sigwait", in_sigwait},
    {"condition", in_condition},
    {"shared", in_shared_condition},
    {"hammered", in_condition},
    {"semaphore", in_semaphore},
    {"join", in_join},
    {"loop", in_loop},
    {"disabled", in_disabled},
    {"accesses", in_accesses},
    {"computation", in_computation},
    {"mutex", in_mutex},
    {"rwlock", in_rwlock},
    {"barrier", in_barrier},
};

/* --- who is cancelled, and who cancels -------------------------------------- */

static void (*be_there)(void);
static bool hammered;

static void *be_cancelled(void *unused)
{
    int before = -1;
    pthread_cleanup_push(clean, 0);
    if (async) {
        MUST(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0);
        MUST(before == PTHREAD_CANCEL_DEFERRED);
        MUST(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before) == 0);
        MUST(before == PTHREAD_CANCEL_ASYNCHRONOUS);
    }
    set(&arrived);
    be_there();
    pthread_cleanup_pop(0);
    MUST(!"it goes on");
    return unused;
}

/* With quanta of five events, a turn might end at the same one every time. */
static void *hammer(void *unused)
{
    while (!is_set(&stop)) {
        pthread_mutex_lock(&mutex);
        STORE(count, LOAD(count) + 1);
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *cancel(void *is_main)
{
    pthread_t hammerer;
    await(&arrived);
    if (hammered)
        pthread_create(&hammerer, 0, hammer, 0);
    for (uint32_t i = 0; i < 50; i++)
        STORE(count, i);
    MUST(pthread_cancel(victim) == 0);
    set(&cancelled);
    MUST(pthread_join(victim, 0) == 0);
    MUST(is_set(&cleaned));
    set(&stop);
    if (hammered)
        MUST(pthread_join(hammerer, 0) == 0);
    MUST(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    if (is_main)
        exit(0);
    return 0;
}

static void prepare(void)
{
    sigset_t signals;
    pthread_condattr_t shared;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    pthread_condattr_init(&shared);
    pthread_condattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared_condition, &shared);
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&semaphore, 0, 0);
    MUST(pipe(ends) == 0);
    pthread_mutex_lock(&held);
    pthread_rwlock_wrlock(&rwlock);
}

int main(int argc, char **argv)
{
    MUST(argc > 2);
    bool is_main = !strcmp(argv[1], "main");
    async = argc > 3;
    hammered = !strcmp(argv[2], "hammered");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!strcmp(argv[2], places[i].name))
            be_there = places[i].be_there;
    MUST(be_there);
    prepare();
    if (is_main) {
        pthread_t canceller;
        victim = pthread_self();
        pthread_create(&canceller, 0, cancel, &is_main);
        be_cancelled(0);
    } else {
        pthread_create(&victim, 0, be_cancelled, 0);
        cancel(0);
    }
    return 0;
}
