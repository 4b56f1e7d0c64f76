/* SPDX-License-Identifier: MIT */
/* How threads and programs end: argv[1] says which way. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static uint32_t cleaned, destroyed;
static uint32_t waits; /* under the lock: a thread that has that sees that a thread waits */

static void clean(void *unused)
{
    (void)unused;
    STORE(cleaned, LOAD(cleaned) + 1);
    pthread_mutex_unlock(&lock);
}

static void destroy(void *unused)
{
    (void)unused;
    STORE(destroyed, LOAD(destroyed) + 1);
}

static void *wait_for_ever(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean, 0);
    STORE(waits, 1);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(0);
    return unused;
}

static void *wait_without_cleanup(void *unused)
{
    pthread_mutex_lock(&lock);
    STORE(waits, 1);
    for (;;)
        pthread_cond_wait(&never, &lock);
    return unused;
}

static void *sleep_for_ever(void *unused)
{
    for (;;)
        sleep(100);
    return unused;
}

static void *leave_early(void *unused)
{
    pthread_setspecific(key, &key);
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean, 0);
    pthread_exit(&key);
    pthread_cleanup_pop(0);
    return unused;
}

static void *just_return(void *unused)
{
    return unused;
}

/* Until the other thread has given the lock up in its wait. */
static void await_waiter(void)
{
    for (uint32_t is_there = 0; !is_there;) {
        pthread_mutex_lock(&lock);
        is_there = LOAD(waits);
        pthread_mutex_unlock(&lock);
        if (!is_there)
            usleep(1000);
    }
}

static void cancel(void)
{
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], 0, wait_for_ever, 0);
    pthread_create(&threads[1], 0, sleep_for_ever, 0);
    await_waiter();
    for (int i = 0; i < 2; i++) {
        MUST(pthread_cancel(threads[i]) == 0);
        MUST(pthread_join(threads[i], &result) == 0 && result == PTHREAD_CANCELED);
    }
    MUST(LOAD(cleaned) == 1);
    MUST(pthread_mutex_trylock(&lock) == 0);
}

static void leave(void)
{
    pthread_t thread;
    void *result;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, leave_early, 0);
    MUST(pthread_join(thread, &result) == 0 && result == &key);
    MUST(LOAD(cleaned) == 1 && LOAD(destroyed) == 1);
    pthread_create(&thread, 0, just_return, 0);
    MUST(pthread_detach(thread) == 0);
    pthread_create(&thread, 0, just_return, 0);
    while (pthread_tryjoin_np(thread, 0) == EBUSY)
        usleep(1000);
}

static void end_thread(int signal)
{
    (void)signal;
    pthread_exit(0);
}

/* A thread ends while it waits for a condition: nobody finds it there any more, nor its stack. */
static void end_by_handler(void)
{
    enum { SIZE = 1 << 18 };
    pthread_t thread;
    pthread_attr_t attributes;
    void *stack = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGUSR1, end_thread);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    pthread_create(&thread, &attributes, wait_without_cleanup, 0);
    await_waiter();
    pthread_kill(thread, SIGUSR1);
    MUST(pthread_join(thread, 0) == 0 && munmap(stack, SIZE) == 0);
    pthread_cond_signal(&never);
    pthread_cond_broadcast(&never);
}

/* The child is not recorded, and works as if there were no runtime. */
static void fork_child(void)
{
    pthread_mutex_lock(&lock);
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_mutex_unlock(&lock);
        pthread_create(&thread, 0, leave_early, 0);
        pthread_join(thread, 0);
        STORE(cleaned, LOAD(cleaned) + 100);
        exit(33);
    }
    pthread_mutex_unlock(&lock);
    int status;
    MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 33);
    MUST(LOAD(cleaned) == 0);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    STORE(cleaned, 0);
    if (!strcmp(how, "cancel"))
        cancel();
    if (!strcmp(how, "leave"))
        leave();
    if (!strcmp(how, "handler"))
        end_by_handler();
    if (!strcmp(how, "fork"))
        fork_child();
    if (!strcmp(how, "exit"))
        exit(11);
    if (!strcmp(how, "_exit"))
        _exit(12);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "kill"))
        raise(SIGKILL);
    if (!strcmp(how, "crash"))
        *(volatile int *)(uintptr_t)argc = 0;
    if (!strcmp(how, "pthread_exit")) {
        pthread_t thread;
        pthread_create(&thread, 0, sleep_for_ever, 0);
        pthread_cancel(thread);
        pthread_exit(0);
    }
    return 0;
}
