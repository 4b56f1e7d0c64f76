// Handlers interrupt waits of all kinds, jump and throw within themselves, and return: the waits go
// on.
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
static std::atomic<int> handled;
static sem_t ready, go;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t waiter;
static bool flag;
static int ends[2], caught, jumped;

static void deep(int levels)
{
    if (levels == 0)
        throw std::runtime_error("in a handler");
    deep(levels - 1);
    caught += 1000;
}

static void throws(int)
{
    try {
        deep(3);
    } catch (const std::exception &) {
        caught++;
    }
    handled++;
}

static void jumps(int signal)
{
    jmp_buf here;
    if (setjmp(here) == 0) {
        pthread_kill(waiter, SIGUSR2); // interrupts this one
        longjmp(here, 1);
    } else {
        jumped++;
    }
    handled++;
}

static void interrupt(int times)
{
    for (int i = 0; i < times; i++) {
        int before = handled;
        pthread_kill(waiter, SIGUSR1);
        while (handled < before + 2)
            sched_yield();
    }
}

static void *release(void *)
{
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&lock), pthread_rwlock_wrlock(&both), sem_post(&ready);
        interrupt(2), sem_post(&go);
        interrupt(2), pthread_mutex_unlock(&lock);
        interrupt(2), pthread_rwlock_unlock(&both);
        interrupt(2), pthread_mutex_lock(&own), flag = true;
        pthread_cond_signal(&condition), pthread_mutex_unlock(&own);
        interrupt(2), pthread_barrier_wait(&barrier);
        interrupt(2), (void)!write(ends[1], "x", 1);
        interrupt(2), pthread_barrier_wait(&barrier);
    }
    interrupt(2);
    return nullptr;
}

static void round_of_waits()
{
    char byte;
    while (sem_wait(&ready) != 0)
        continue;
    while (sem_wait(&go) != 0)
        continue;
    pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
    pthread_rwlock_rdlock(&both), pthread_rwlock_unlock(&both);
    pthread_mutex_lock(&own);
    while (!flag)
        pthread_cond_wait(&condition, &own);
    flag = false, pthread_mutex_unlock(&own);
    pthread_barrier_wait(&barrier);
    while (read(ends[0], &byte, 1) != 1)
        continue;
    pthread_barrier_wait(&barrier);
}

int main()
{
    static char memory[1 << 16];
    stack_t other = {};
    other.ss_sp = memory, other.ss_size = sizeof memory;
    struct sigaction action = {};
    action.sa_handler = jumps, sigaction(SIGUSR1, &action, nullptr);
    action.sa_handler = throws, action.sa_flags = SA_ONSTACK, sigaction(SIGUSR2, &action, nullptr);
    sem_init(&ready, 0, 0), sem_init(&go, 0, 0), pthread_barrier_init(&barrier, nullptr, 2);
    waiter = pthread_self();
    pthread_t thread;
    if (sigaltstack(&other, nullptr) != 0 || pipe(ends) != 0 ||
        pthread_create(&thread, nullptr, release, nullptr) != 0)
        return 1;
    for (int round = 0; round < 3; round++)
        round_of_waits();
    pthread_join(thread, nullptr);
    printf("%d caught, %d jumped\n", caught, jumped);
}
