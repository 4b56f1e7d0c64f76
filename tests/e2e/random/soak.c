/* SPDX-License-Identifier: MIT */
/*
 * A random program that ends: soak SEED.
 *
 * Workers do a few random things: take locks of all kinds, by waiting, with a time-out or by
 * polling; wait until all workers have come as far as they have, in all the ways there are to wait;
 * start threads and join them. Hogs do such things in a loop until the workers are done. Locks are
 * taken in the order of their numbers and given back after a little work, nobody waits for others
 * with a lock, and a thread that waits for a step has made it: whatever the schedule, if nobody
 * starves all workers end.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MUTEXES = 3, RWLOCK = MUTEXES, SLOTS, SPIN, WORD, LOCKS };
enum { MOST_THREADS = 4, STEPS = 3, MOST_WORK = 14 };

static pthread_mutex_t mutexes[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t slots;     /* one or two may be in at once */
static atomic_int word; /* a lock of the program's own */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* over `arrived` */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived[STEPS];
static atomic_int arrived_too[STEPS]; /* the same, for those who look without the lock */
static sem_t arrivals[STEPS];

static atomic_bool stop;
static volatile int data;
static unsigned workers, hogs;
static uint64_t seed;

static unsigned next(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

static void work(unsigned events)
{
    for (unsigned i = 0; i < events; i++)
        (void)data;
}

static struct timespec soon(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 200000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* Between two looks of a thread that polls. */
static void pause_between(unsigned how)
{
    if (how == 1)
        sched_yield();
    else if (how == 2)
        usleep(30);
    else if (how == 3)
        work(3);
}

static void lock_mutex(pthread_mutex_t *mutex, unsigned way, unsigned how)
{
    struct timespec time;
    switch (way) {
    case 0:
        while (pthread_mutex_trylock(mutex))
            pause_between(how);
        break;
    case 1:
        for (time = soon(); pthread_mutex_timedlock(mutex, &time); time = soon())
            ;
        break;
    default:
        pthread_mutex_lock(mutex);
    }
}

static void lock_rwlock(unsigned way, unsigned how)
{
    switch (way) {
    case 0:
        while (pthread_rwlock_trywrlock(&rwlock))
            pause_between(how);
        break;
    case 1:
        while (pthread_rwlock_tryrdlock(&rwlock))
            pause_between(how);
        break;
    case 2:
        pthread_rwlock_wrlock(&rwlock);
        break;
    default:
        pthread_rwlock_rdlock(&rwlock);
    }
}

static void take_slot(unsigned way, unsigned how)
{
    struct timespec time;
    switch (way) {
    case 0:
        while (sem_trywait(&slots))
            pause_between(how);
        break;
    case 1:
        for (time = soon(); sem_timedwait(&slots, &time); time = soon())
            ;
        break;
    default:
        while (sem_wait(&slots))
            ;
    }
}

static void take_spin(unsigned way, unsigned how)
{
    if (way > 1)
        pthread_spin_lock(&spin);
    else
        while (pthread_spin_trylock(&spin))
            pause_between(how);
}

static void take(unsigned which, uint64_t *state)
{
    unsigned way = next(state, 4), how = next(state, 4);
    switch (which) {
    case RWLOCK:
        lock_rwlock(way, how);
        break;
    case SLOTS:
        take_slot(way, how);
        break;
    case SPIN:
        take_spin(way, how);
        break;
    case WORD:
        while (atomic_exchange(&word, 1))
            pause_between(how);
        break;
    default:
        lock_mutex(&mutexes[which], way, how);
    }
}

static void give(unsigned which)
{
    switch (which) {
    case RWLOCK:
        pthread_rwlock_unlock(&rwlock);
        break;
    case SLOTS:
        sem_post(&slots);
        break;
    case SPIN:
        pthread_spin_unlock(&spin);
        break;
    case WORD:
        atomic_store(&word, 0);
        break;
    default:
        pthread_mutex_unlock(&mutexes[which]);
    }
}

/* One lock, or two. */
static void under_locks(uint64_t *state)
{
    unsigned first = next(state, LOCKS), second = first + 1 + next(state, LOCKS);
    take(first, state);
    work(next(state, MOST_WORK));
    if (second < LOCKS) {
        take(second, state);
        data++;
        give(second);
    }
    give(first);
}

static void arrive(int step)
{
    pthread_mutex_lock(&gate);
    arrived[step]++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&gate);
    atomic_fetch_add(&arrived_too[step], 1);
    for (unsigned i = 0; i < workers; i++)
        sem_post(&arrivals[step]);
}

static void await_signal(int step, bool timed)
{
    pthread_mutex_lock(&gate);
    while (arrived[step] < (int)workers) {
        struct timespec time = soon();
        if (timed)
            pthread_cond_timedwait(&changed, &gate, &time);
        else
            pthread_cond_wait(&changed, &gate);
    }
    pthread_mutex_unlock(&gate);
}

static void poll_arrived(int step, unsigned how)
{
    for (;;) {
        pthread_mutex_lock(&gate);
        bool all = arrived[step] == (int)workers;
        pthread_mutex_unlock(&gate);
        if (all)
            return;
        pause_between(how);
    }
}

static void await_all(int step, uint64_t *state)
{
    unsigned how = next(state, 4);
    switch (next(state, 5)) {
    case 0:
        await_signal(step, false);
        break;
    case 1:
        await_signal(step, true);
        break;
    case 2:
        poll_arrived(step, how);
        break;
    case 3:
        while (atomic_load(&arrived_too[step]) < (int)workers)
            pause_between(how);
        break;
    default:
        for (unsigned i = 0; i < workers; i++)
            sem_wait(&arrivals[step]);
    }
}

static void *assist(void *argument)
{
    uint64_t state = (uint64_t)(uintptr_t)argument;
    under_locks(&state);
    return 0;
}

static void with_assistant(uint64_t *state)
{
    pthread_t assistant;
    pthread_create(&assistant, 0, assist, (void *)(uintptr_t)next(state, 1u << 30));
    under_locks(state);
    if (next(state, 2))
        while (pthread_tryjoin_np(assistant, 0))
            pause_between(next(state, 4));
    else
        pthread_join(assistant, 0);
}

static void act(uint64_t *state)
{
    switch (next(state, 8)) {
    case 0:
        with_assistant(state);
        break;
    case 1:
        usleep(next(state, 200));
        break;
    case 2:
        free(malloc(1 + next(state, 100)));
        break;
    default:
        under_locks(state);
    }
}

static void *labour(void *number)
{
    uint64_t state = seed * 1000 + (uintptr_t)number;
    work(next(&state, 50));
    for (int step = 0; step < STEPS; step++) {
        for (unsigned i = next(&state, 4); i > 0; i--)
            act(&state);
        arrive(step);
        if (next(&state, 2))
            await_all(step, &state);
    }
    return 0;
}

/* The same again and again, so that its loop has one length. */
static void *hog(void *number)
{
    uint64_t start = seed * 1000 + 500 + (uintptr_t)number;
    work(next(&start, 50));
    while (!atomic_load(&stop)) {
        uint64_t state = start;
        under_locks(&state);
        if (next(&state, 4) == 0)
            pause_between(next(&state, 3));
    }
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t threads[2 * MOST_THREADS];
    if (argc != 2)
        return 2;
    seed = strtoull(argv[1], 0, 10);
    uint64_t state = seed;
    workers = 1 + next(&state, MOST_THREADS);
    hogs = next(&state, MOST_THREADS);
    pthread_spin_init(&spin, 0);
    sem_init(&slots, 0, 1 + next(&state, 2));
    for (int step = 0; step < STEPS; step++)
        sem_init(&arrivals[step], 0, 0);
    for (unsigned i = 0; i < hogs + workers; i++)
        pthread_create(&threads[i], 0, i < hogs ? hog : labour, (void *)(uintptr_t)i);
    for (unsigned i = hogs; i < hogs + workers; i++)
        pthread_join(threads[i], 0);
    atomic_store(&stop, true);
    for (unsigned i = 0; i < hogs; i++)
        pthread_join(threads[i], 0);
    puts("done");
    return 0;
}
