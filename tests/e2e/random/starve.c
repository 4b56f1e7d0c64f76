/* SPDX-License-Identifier: MIT */
/*
 * One thread wants what others take and give back in a loop: starve KIND PHASES BODIES.
 *
 * Every round has hogs whose loop has another number of events (bodies, from 0 on), and begins
 * another number of events (phases) after their start: some of them have the object whenever
 * their turn ends, if all turns have the same length. The round is over when the main thread got
 * the object, or saw what it waits for, and the hogs were asked to stop.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <seriatim/annotate.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_HOGS = 3, ITEMS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore, ping, pong, started;
static atomic_int word, counter, stop; /* of locks made by hand, and what ends a round */
static volatile int data;
static int items, phase, body;

static void work(int events)
{
    for (int i = 0; i < events; i++)
        (void)data;
}

static struct timespec soon(long microseconds)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += microseconds * 1000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* A lock of the program's own; it spins, yields or sleeps. */
static void spin_lock(void)
{
    while (atomic_exchange(&word, 1))
        ;
}

static void yield_lock(void)
{
    while (atomic_exchange(&word, 1))
        sched_yield();
}

static void futex_lock(void)
{
    int was = 0;
    if (atomic_compare_exchange_strong(&word, &was, 1))
        return;
    while (atomic_exchange(&word, 2))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void futex_unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void word_unlock(void)
{
    atomic_store(&word, 0);
}

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void try_lock(void)
{
    while (pthread_mutex_trylock(&mutex))
        ;
}

static void try_yield(void)
{
    while (pthread_mutex_trylock(&mutex))
        sched_yield();
}

static void try_sleep(void)
{
    while (pthread_mutex_trylock(&mutex))
        usleep(50);
}

static void timed_lock(void)
{
    struct timespec time = soon(100);
    while (pthread_mutex_timedlock(&mutex, &time))
        time = soon(100);
}

static void sleep_and_lock(void)
{
    usleep(300);
    lock();
}

static void read_lock(void)
{
    pthread_rwlock_rdlock(&rwlock);
}

static void write_lock(void)
{
    pthread_rwlock_wrlock(&rwlock);
}

static void try_write_lock(void)
{
    while (pthread_rwlock_trywrlock(&rwlock))
        ;
}

static void rw_unlock(void)
{
    pthread_rwlock_unlock(&rwlock);
}

static void take_spin(void)
{
    pthread_spin_lock(&spin);
}

static void give_spin(void)
{
    pthread_spin_unlock(&spin);
}

static void take(void)
{
    sem_wait(&semaphore);
}

static void try_take(void)
{
    while (sem_trywait(&semaphore))
        ;
}

static void post(void)
{
    sem_post(&semaphore);
}

static void ignored_spin(void)
{
    SERIATIM_IGNORE_BEGIN();
    while (atomic_load(&counter) < 3)
        ;
    SERIATIM_IGNORE_END();
}

static void count_up(void)
{
    atomic_fetch_add(&counter, 1);
}

static void await_count(void)
{
    while (atomic_load(&counter) < 3)
        ;
}

static void signal_one(void)
{
    lock();
    items++;
    pthread_cond_signal(&condition);
}

static void await_signal(void)
{
    lock();
    for (int seen = items; items < seen + 3;)
        pthread_cond_wait(&condition, &mutex);
}

/* The hogs consume, and look all the time whether there is something. */
static void consume(void)
{
    lock();
    if (items > 0)
        items--;
}

static void produce(void)
{
    for (int i = 0; i < ITEMS; i++) {
        lock();
        items++;
        unlock();
    }
    for (lock(); items > 0; lock()) {
        unlock();
        usleep(20);
    }
}

/* The thread that does so is never asked whether its turn is over. */
static void churn(void)
{
    for (int i = 0; i < 20000; i++)
        free(malloc(8));
}

static void nap(void)
{
    usleep(300);
}

static void nothing(void)
{
}

/* Two that wake each other: one of them can always run. */
static void play(void)
{
    sem_wait(&ping);
    sem_post(&pong);
}

static void serve(void)
{
    sem_post(&ping);
    sem_wait(&pong);
}

typedef void step(void);

static const struct kind {
    const char *name;
    int hogs;
    step *take, *give;    /* of the hogs */
    step *want, *return_; /* of the main thread */
    step *last_hog;       /* if not null: what the last hog does instead of take */
} kinds[] = {
    {"mutex", 1, lock, unlock, lock, unlock, 0},
    {"sleep", 1, lock, unlock, sleep_and_lock, unlock, 0},
    {"mutexes", 3, lock, unlock, lock, unlock, 0},
    {"try", 1, lock, unlock, try_lock, unlock, 0},
    {"try-yield", 2, lock, unlock, try_yield, unlock, 0},
    {"try-sleep", 1, lock, unlock, try_sleep, unlock, 0},
    {"tries", 3, try_yield, unlock, try_lock, unlock, 0},
    {"timed", 1, lock, unlock, timed_lock, unlock, 0},
    {"queue", 3, consume, unlock, produce, unlock, 0},
    {"writer", 2, read_lock, rw_unlock, write_lock, rw_unlock, 0},
    {"writer-try", 2, read_lock, rw_unlock, try_write_lock, rw_unlock, 0},
    {"reader", 2, write_lock, rw_unlock, read_lock, rw_unlock, 0},
    {"spin", 2, take_spin, give_spin, take_spin, give_spin, 0},
    {"semaphore", 2, take, post, take, post, 0},
    {"semaphore-try", 1, take, post, try_take, post, 0},
    {"own-spin", 2, spin_lock, word_unlock, spin_lock, word_unlock, 0},
    {"own-yield", 2, yield_lock, word_unlock, yield_lock, word_unlock, 0},
    {"own-futex", 2, futex_lock, futex_unlock, futex_lock, futex_unlock, 0},
    {"flag", 1, count_up, nothing, await_count, nothing, 0},
    {"ignored", 1, count_up, nothing, ignored_spin, nothing, 0},
    {"condition", 1, signal_one, unlock, await_signal, unlock, 0},
    {"ping-pong", 2, play, nothing, nap, nothing, serve},
    {"heap", 1, churn, nothing, nap, nothing, 0},
};

static const struct kind *kind;

static void *hog(void *number)
{
    bool last = (int)(size_t)number == kind->hogs - 1;
    step *begin = last && kind->last_hog ? kind->last_hog : kind->take;
    sem_post(&started);
    work(phase);
    while (!atomic_load(&stop)) {
        begin();
        work(body);
        kind->give();
    }
    if (kind->last_hog)
        sem_post(last ? &ping : &pong);
    return 0;
}

static void play_round(void)
{
    pthread_t hogs[MOST_HOGS];
    items = 0;
    atomic_store(&stop, 0);
    atomic_store(&counter, 0);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    sem_init(&started, 0, 0);
    for (int i = 0; i < kind->hogs; i++)
        pthread_create(&hogs[i], 0, hog, (void *)(size_t)i);
    for (int i = 0; i < kind->hogs; i++)
        sem_wait(&started);
    kind->want();
    atomic_store(&stop, 1);
    kind->return_();
    for (int i = 0; i < kind->hogs; i++)
        pthread_join(hogs[i], 0);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0)
            kind = &kinds[i];
    if (!kind)
        return 2;
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
    for (body = 0; body < atoi(argv[3]); body++)
        for (phase = 0; phase < atoi(argv[2]); phase++)
            play_round();
    puts("done");
    return 0;
}
