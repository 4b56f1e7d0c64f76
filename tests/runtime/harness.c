/* SPDX-License-Identifier: MIT */
/*
 * Taking records from the rings and merging them, as channel.h says.
 */
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

#include "contract/handover.h"

static ser_channel *make_channel(int *descriptor, bool parallel, const char *options)
{
    size_t text = strlen(options) + 1, size = sizeof(ser_channel) + text;
    *descriptor = memfd_create("channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*descriptor < 0 || ftruncate(*descriptor, (off_t)size) < 0 ||
        !ser_handover_seal(*descriptor)) {
        perror("harness: channel");
        exit(5);
    }
    ser_channel *channel = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    if (channel == MAP_FAILED) {
        perror("harness: channel");
        exit(5);
    }
    channel->magic = SER_CHANNEL_MAGIC;
    channel->version = SER_CHANNEL_VERSION;
    channel->settings = (ser_channel_part){sizeof *channel, text};
    memcpy(ser_channel_at(channel, channel->settings), options, text);
    channel->parallel = parallel;
    channel->ring_count = SER_CHANNEL_RINGS;
    channel->recorder = getpid();
    channel->recorder_alive = 1;
    return channel;
}

/* With the same addresses every time, as the recorder does. */
static pid_t start(char **argv, int descriptor)
{
    pid_t child = fork();
    if (child == 0) {
        personality(ADDR_NO_RANDOMIZE);
        if (ser_handover_give(descriptor))
            execv(argv[0], argv);
        perror(argv[0]);
        _exit(127);
    }
    return child;
}

static void keep(ser_record **records, size_t *count, size_t *room, const ser_record *record)
{
    if (*count == *room) {
        *room = *room ? *room * 2 : 1 << 16;
        *records = realloc(*records, *room * sizeof **records);
        if (!*records)
            abort();
    }
    (*records)[(*count)++] = *record;
}

static bool is_over(const harness_run *run)
{
    return run->count > 0 && run->records[run->count - 1].op == SER_RAW_THREAD_LIMIT;
}

static void take(harness_run *run, ser_ring *ring, bool definitions)
{
    ser_record *record = &ring->records[ring->tail % SER_RING_RECORDS];
    if (definitions)
        keep(&run->defined, &run->defined_count, &run->defined_room, record);
    else if (!is_over(run))
        keep(&run->records, &run->count, &run->room, record);
    __atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);
}

static void signal_room(ser_ring *ring)
{
    __atomic_fetch_add(&ring->room, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &ring->room, FUTEX_WAKE, 1, 0, 0, 0);
}

static bool drain(harness_run *run, ser_ring *ring, bool definitions)
{
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    bool some = ring->tail < head;
    while (ring->tail < head)
        take(run, ring, definitions);
    if (some)
        signal_room(ring);
    return some;
}

/* (clock, thread) of a ring's first record, or of what may still come. */
typedef struct front {
    uint64_t clock;
    uint32_t thread;
    ser_ring *ring;
} front;

static bool is_before(const front *a, const front *b)
{
    return a->clock != b->clock ? a->clock < b->clock : a->thread < b->thread;
}

static front find_bound(ser_channel *channel)
{
    front bound = {UINT64_MAX, UINT32_MAX, 0};
    for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++) {
        ser_ring *ring = &channel->rings[i];
        uint32_t claimed = __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE);
        front next = {__atomic_load_n(&ring->next_clock, __ATOMIC_ACQUIRE), ring->thread, ring};
        if (claimed == 1 && is_before(&next, &bound))
            bound = next;
    }
    return bound;
}

static bool merge(harness_run *run, ser_channel *channel, bool dead)
{
    static uint64_t heads[SER_CHANNEL_RINGS], tails[SER_CHANNEL_RINGS];
    front bound = find_bound(channel);
    for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++) {
        heads[i] = __atomic_load_n(&channel->rings[i].head, __ATOMIC_ACQUIRE);
        tails[i] = channel->rings[i].tail;
    }
    front again = find_bound(channel); /* rings may have been claimed meanwhile */
    bound = dead ? (front){UINT64_MAX, UINT32_MAX, 0} : is_before(&again, &bound) ? again : bound;
    bool some = drain(run, &channel->rings[0], true);
    for (;;) {
        front best = bound;
        best.ring = 0;
        for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++) {
            ser_ring *ring = &channel->rings[i];
            if (ring->tail == heads[i])
                continue;
            const ser_record *record = &ring->records[ring->tail % SER_RING_RECORDS];
            front first = {record->clock, record->thread, ring};
            if (is_before(&first, &best) || (dead && !best.ring))
                best = first;
        }
        if (!best.ring)
            break;
        take(run, best.ring, false);
    }
    for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++)
        if (channel->rings[i].tail != tails[i])
            signal_room(&channel->rings[i]), some = true;
    return some;
}

static bool gather(harness_run *run, ser_channel *channel, bool dead)
{
    return channel->parallel ? merge(run, channel, dead) : drain(run, &channel->rings[0], false);
}

/* A few records of a ring that is full, so that its room ends now here, now there. */
static void gather_slowly(harness_run *run, ser_ring *ring)
{
    enum { FEW = 777 };
    bool full = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - ring->tail >=
                SER_RING_RECORDS - 2048; /* twice what the runtime keeps free */
    for (int i = 0; full && i < FEW; i++)
        take(run, ring, false);
    if (full)
        signal_room(ring);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool tells_deadlock(const harness_run *run)
{
    return run->count > 0 && run->records[run->count - 1].op == SER_RAW_DEADLOCK;
}

/* Serial mode: definitions are between the events; texts bring records of raw bytes. */
static void remove_definitions(harness_run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->count; i++) {
        const ser_record *record = &run->records[i];
        if (record->op == SER_RAW_TEXT)
            i += (record->value + sizeof(ser_record) - 1) / sizeof(ser_record);
        else if (record->op < SER_RAW_SITE || record->op > SER_RAW_MODULE)
            run->records[kept++] = *record;
    }
    run->count = kept;
}

void harness_execute(harness_run *run, char **argv, const harness_way *way)
{
    int descriptor;
    ser_channel *channel = make_channel(&descriptor, way->parallel, way->options);
    pid_t child = start(argv, descriptor);
    double end = now() + way->seconds;
    *run = (harness_run){0};
    while (waitpid(child, &run->status, WNOHANG) == 0) {
        uint32_t seen = __atomic_load_n(&channel->published, __ATOMIC_ACQUIRE);
        struct timespec pause = {0, 2000000};
        if (way->slowly)
            gather_slowly(run, &channel->rings[0]);
        else if (!gather(run, channel, false))
            syscall(SYS_futex, &channel->published, FUTEX_WAIT, seen, &pause, 0, 0);
        if (now() > end || tells_deadlock(run))
            kill(child, SIGKILL);
    }
    while (gather(run, channel, true))
        continue;
    run->deadlock = tells_deadlock(run);
    run->lost = channel->lost;
    run->ended = channel->ended;
    munmap(channel, sizeof *channel + channel->settings.size);
    close(descriptor);
    if (!way->parallel)
        remove_definitions(run);
}

void harness_free(harness_run *run)
{
    free(run->records);
    free(run->defined);
}
