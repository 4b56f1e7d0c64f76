/* SPDX-License-Identifier: MIT */
/*
 * What the runtime costs: nanoseconds per event, in both modes, without a
 * recorder, and for one thread also in a replay (a schedule of one stretch without end). The
 * program starts itself again under a recorder that throws everything away, so that only the
 * runtime is measured. Times are CPU time of all threads together, divided by their events.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/abi.h"
#include "contract/channel.h"
#include "contract/handover.h"

enum { TIMES = 2000000, THREADS = 2 };

static ser_abi_site site = {.line = 1, .file = "cost.c", .function = "cost", .name = "x"};
static _Alignas(64) uint64_t private_words[THREADS][64], shared_words[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t turns[THREADS];
static int partners;

static void own(int me)
{
    for (int i = 0; i < TIMES; i++)
        __seriatim_store8(&private_words[me][i % 64],
                          __seriatim_load8(&private_words[me][i % 32], &site), &site);
}

static void one_in_five_shared(int me)
{
    for (int i = 0; i < TIMES; i++) {
        uint64_t *word = i % 5 ? &private_words[me][i % 64] : &shared_words[i % 64];
        __seriatim_store8(word, __seriatim_load8(word, &site), &site);
    }
}

static void atomics(int me)
{
    for (int i = 0; i < 2 * TIMES; i++)
        __seriatim_atomic_rmw8(&private_words[me][i % 64], 1, 1, &site);
}

static void calls(int me)
{
    (void)me;
    for (int i = 0; i < TIMES; i++)
        __seriatim_leave(__seriatim_enter(&site));
}

static void locks(int me)
{
    (void)me;
    for (int i = 0; i < TIMES / 10; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void heap(int me)
{
    (void)me;
    for (int i = 0; i < TIMES / 10; i++) {
        void *volatile block = malloc(64);
        free(block);
    }
}

static void ask_time(int me)
{
    struct timespec time;
    (void)me;
    for (int i = 0; i < TIMES / 10; i++)
        clock_gettime(CLOCK_MONOTONIC, &time);
}

/* With two threads, nearly every round needs a switch. */
static void hand_on(int me)
{
    for (int i = 0; i < TIMES / 100; i++) {
        sem_post(&turns[(me + 1) % partners]);
        sem_wait(&turns[me]);
    }
}

static const struct work {
    const char *name;
    void (*run)(int);
    double events;
} works[] = {
    {"private words", own, 2.0 * TIMES},
    {"one in five shared", one_in_five_shared, 2.0 * TIMES},
    {"atomic additions", atomics, 2.0 * TIMES},
    {"calls and returns", calls, 2.0 * TIMES},
    {"one mutex", locks, TIMES / 5.0},
    {"malloc and free", heap, TIMES / 5.0},
    {"asking the time", ask_time, TIMES / 10.0},
    {"taking turns", hand_on, TIMES / 100.0}, /* rounds */
};
static const struct work *current;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *worker(void *argument)
{
    current->run((int)(intptr_t)argument);
    return 0;
}

static double measure(int threads)
{
    pthread_t handles[THREADS];
    partners = threads;
    double start = now(CLOCK_PROCESS_CPUTIME_ID);
    for (intptr_t i = 0; i < threads; i++)
        pthread_create(&handles[i], 0, worker, (void *)i);
    for (int i = 0; i < threads; i++)
        pthread_join(handles[i], 0);
    return (now(CLOCK_PROCESS_CPUTIME_ID) - start) / current->events / threads;
}

static void measure_all(const char *mode)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        current = &works[i];
        double one = measure(1);
        printf("%-10s %-20s %7.1f ns  %7.1f ns\n", mode, works[i].name, one, measure(THREADS));
    }
}

/* In the first thread: the schedule has no other. */
static void measure_replay(void)
{
    partners = 1;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        double start = now(CLOCK_PROCESS_CPUTIME_ID);
        works[i].run(0);
        printf("%-10s %-20s %7.1f ns\n", "replay", works[i].name,
               (now(CLOCK_PROCESS_CPUTIME_ID) - start) / works[i].events);
    }
}

static void pass_schedule(ser_channel *channel)
{
    const ser_turn turn = {.thread = 0, .until = UINT64_MAX};
    channel->schedule = (ser_channel_part){sizeof *channel, sizeof turn};
    memcpy(ser_channel_at(channel, channel->schedule), &turn, sizeof turn);
}

static void discard(ser_channel *channel)
{
    for (uint32_t i = 0; i == 0 || ser_ring_was_claimed(channel, i); i++) {
        ser_ring *ring = &channel->rings[i];
        uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
        if (head == ring->tail)
            continue;
        __atomic_store_n(&ring->tail, head, __ATOMIC_RELEASE);
        __atomic_fetch_add(&ring->room, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &ring->room, FUTEX_WAKE, 1, 0, 0, 0);
    }
}

static void record(char **argv, int parallel, const char *mode)
{
    int descriptor = memfd_create("channel", MFD_CLOEXEC | MFD_ALLOW_SEALING), status;
    ser_channel *channel = MAP_FAILED;
    size_t size = sizeof *channel + sizeof(ser_turn);
    if (descriptor >= 0 && ftruncate(descriptor, (off_t)size) == 0 && ser_handover_seal(descriptor))
        channel = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (channel == MAP_FAILED) {
        perror("runtime_cost");
        exit(1);
    }
    channel->magic = SER_CHANNEL_MAGIC;
    channel->version = SER_CHANNEL_VERSION;
    channel->parallel = (uint32_t)parallel;
    channel->ring_count = SER_CHANNEL_RINGS;
    channel->recorder = getpid();
    channel->recorder_alive = 1;
    if (strcmp(mode, "replay") == 0)
        pass_schedule(channel);
    pid_t child = fork();
    if (child == 0) {
        if (ser_handover_give(descriptor))
            execl("/proc/self/exe", argv[0], mode, (char *)0);
        _exit(127);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        uint32_t seen = __atomic_load_n(&channel->published, __ATOMIC_ACQUIRE);
        struct timespec pause = {0, 10000000};
        discard(channel);
        syscall(SYS_futex, &channel->published, FUTEX_WAIT, seen, &pause, 0, 0);
    }
    if (channel->published == 0) {
        fprintf(stderr, "runtime_cost: the runtime recorded nothing in mode %s\n", mode);
        exit(1);
    }
    munmap(channel, size);
    close(descriptor);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        if (strcmp(argv[1], "replay") == 0)
            measure_replay();
        else
            measure_all(argv[1]);
        return 0;
    }
    setvbuf(stdout, 0, _IOLBF, 0);
    printf("%-10s %-20s %10s  %10s\n", "mode", "an event of", "1 thread", "2 threads");
    measure_all("none");
    record(argv, 0, "serial");
    record(argv, 1, "parallel");
    record(argv, 0, "replay");
    return 0;
}
