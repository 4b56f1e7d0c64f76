/* SPDX-License-Identifier: MIT */
/*
 * robust WHO: robust mutexes, shared between processes, whose owner dies: a thread or a child.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

enum { COUNT = 1000 };

typedef struct memory {
    pthread_mutex_t mutexes[COUNT];
    uint32_t data, there;
} memory;

static memory *shared;
static uint32_t count; /* of the mutexes that the owner dies with */

static void get_all(void)
{
    for (uint32_t i = 0; i < count; i++)
        MUST(pthread_mutex_lock(&shared->mutexes[i]) == 0);
}

static void *own(void *unused)
{
    get_all();
    STORE(shared->data, LOAD(shared->data) + 1);
    return unused;
}

static void let_thread_die(void)
{
    pthread_t thread;
    MUST(pthread_create(&thread, 0, own, 0) == 0 && pthread_join(thread, 0) == 0);
}

static void let_child_die(void)
{
    pid_t child = fork();
    if (child == 0) {
        get_all();
        raise(SIGKILL);
    }
    MUST(waitpid(child, 0, 0) == child);
}

static void initialize(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    for (int i = 0; i < COUNT; i++)
        MUST(pthread_mutex_init(&shared->mutexes[i], &attributes) == 0);
}

static int lock_in_time(pthread_mutex_t *mutex)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 50;
    return pthread_mutex_timedlock(mutex, &time);
}

static void recover(void (*let_owner_die)(void), int (*lock)(pthread_mutex_t *))
{
    pthread_mutex_t *mutex = shared->mutexes;
    initialize();
    let_owner_die();
    for (uint32_t i = 0; i < count; i++)
        MUST(lock(&mutex[i]) == EOWNERDEAD);
    for (uint32_t i = 0; i < count; i++) {
        MUST(pthread_mutex_consistent(&mutex[i]) == 0);
        MUST(pthread_mutex_unlock(&mutex[i]) == 0);
        MUST(lock(&mutex[i]) == 0 && pthread_mutex_unlock(&mutex[i]) == 0);
    }
}

/* It is not made consistent: nobody gets it any more. */
static void lose(void (*let_owner_die)(void), int (*lock)(pthread_mutex_t *))
{
    pthread_mutex_t *mutex = shared->mutexes;
    initialize();
    let_owner_die();
    MUST(pthread_mutex_unlock(mutex) == EPERM);
    MUST(lock(mutex) == EOWNERDEAD);
    MUST(pthread_mutex_unlock(mutex) == 0);
    MUST(lock(mutex) == ENOTRECOVERABLE);
    if (lock == pthread_mutex_trylock) {
        pthread_mutex_trylock(mutex); /* the C library leaves it locked then */
        return;
    }
    MUST(pthread_mutex_unlock(mutex) == EPERM);
    MUST(pthread_mutex_trylock(mutex) == ENOTRECOVERABLE);
}

/* Others wait while the owner dies, and a try fails before. */
static void *wait_for_it(void *unused)
{
    int result = pthread_mutex_lock(shared->mutexes);
    MUST(result == 0 || result == EOWNERDEAD);
    if (result == EOWNERDEAD)
        MUST(pthread_mutex_consistent(shared->mutexes) == 0);
    STORE(shared->data, LOAD(shared->data) + 1);
    MUST(pthread_mutex_unlock(shared->mutexes) == 0);
    return unused;
}

static void await(uint32_t wanted)
{
    while (__atomic_load_n(&shared->there, __ATOMIC_SEQ_CST) != wanted)
        usleep(1000);
}

static void wait_for_dying_child(void)
{
    pthread_t threads[3];
    initialize();
    pid_t child = fork();
    if (child == 0) {
        get_all();
        __atomic_store_n(&shared->there, 1, __ATOMIC_SEQ_CST);
        await(2);
        raise(SIGKILL);
    }
    await(1);
    MUST(pthread_mutex_trylock(shared->mutexes) == EBUSY);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, wait_for_it, 0);
    __atomic_store_n(&shared->there, 2, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    MUST(waitpid(child, 0, 0) == child);
}

/* The owner's last act is to unmap the mutex. */
static void *own_and_unmap(void *unused)
{
    enum { SIZE = 4096 };
    pthread_mutex_t *mutex =
        mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *mutex = *shared->mutexes;
    MUST(pthread_mutex_lock(mutex) == 0 && munmap(mutex, SIZE) == 0);
    return unused;
}

int main(int argc, char **argv)
{
    void (*let_owner_die)(void) =
        argc > 1 && !strcmp(argv[1], "child") ? let_child_die : let_thread_die;
    int (*const locks[])(pthread_mutex_t *) = {pthread_mutex_lock, pthread_mutex_trylock,
                                               lock_in_time};
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 3; i++) {
        count = 1;
        lose(let_owner_die, locks[i]);
        recover(let_owner_die, locks[i]);
        count = COUNT;
        recover(let_owner_die, locks[i]);
    }
    count = 1;
    wait_for_dying_child();
    initialize();
    pthread_t thread;
    pthread_create(&thread, 0, own_and_unmap, 0);
    MUST(pthread_join(thread, 0) == 0);
    return 0;
}
