/* SPDX-License-Identifier: MIT */
/*
 * The beginning and the end: attaching to the recorder's channel, fork, exit.
 *
 * Without a channel that is ours nothing is ever recorded, and all threads stay
 * ser_nobody. A forked child becomes like that, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/frozen.h"
#include "runtime/inputs.h"
#include "runtime/lines.h"
#include "runtime/replay.h"
#include "runtime/thread.h"

static ser_world *const world = &ser_the_world;

int ser_descriptor_in(const char *variable)
{
    const char *text = getenv(variable);
    int number = 0;
    if (!text || !*text)
        return -1;
    for (; *text >= '0' && *text <= '9' && number < 1000000; text++)
        number = number * 10 + (*text - '0');
    return *text ? -1 : number;
}

/* Without it in core files: the system would give memory to all rings, to write it there. */
static ser_channel *map_channel(int descriptor, size_t *size)
{
    struct stat status;
    if (fstat(descriptor, &status) < 0 || (size_t)status.st_size < ser_channel_size(1))
        return 0;
    *size = (size_t)status.st_size;
    void *memory = mmap(0, *size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return 0;
    madvise(memory, *size, MADV_DONTDUMP);
    return memory;
}

/* The channel, if it is one and nobody has it yet. */
static ser_channel *claim(int descriptor)
{
    size_t size = 0;
    ser_channel *channel = descriptor < 0 ? 0 : map_channel(descriptor, &size);
    int32_t nobody = 0;
    if (!channel)
        return 0;
    if (channel->magic == SER_CHANNEL_MAGIC && channel->version == 1 &&
        size == ser_channel_size(channel->ring_count) &&
        __atomic_compare_exchange_n(&channel->owner, &nobody, getpid(), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
        close(descriptor);
        return channel;
    }
    munmap(channel, size);
    return 0;
}

void ser_stop_in_child(void)
{
    ser_self = &ser_stranger;
    world->channel = 0;
    world->recording = false;
    ser_is_off = true;
}

static void write_end(uint64_t how, uint64_t status)
{
    if (!world->channel || world->ended || ser_real.getpid() != world->process)
        return;
    ser_thread *me = ser_enter();
    world->ended = true;
    ser_thread *writer = me ? me : world->threads[0];
    ser_record record = {.object = status,
                         .value = how,
                         .clock = UINT64_MAX,
                         .thread = (uint16_t)writer->number,
                         .op = SER_RAW_END};
    if (me || !world->holder) {
        ser_ring *ring = writer->ring;
        ring->records[ring->head % SER_RING_RECORDS] = record;
        __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&world->channel->ended, 1, __ATOMIC_RELEASE);
    ser_ring_kick();
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    write_end(0, (uint64_t)status);
}

SER_EXPORT __attribute__((noreturn)) void _exit(int status)
{
    write_end(1, (uint64_t)status);
    for (;;)
        ser_sys(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

SER_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
    _exit(status);
}

static void attach(ser_channel *channel)
{
    world->channel = channel;
    world->parallel = channel->parallel != 0;
    world->process = getpid();
    world->recording = true;
    world->ring = &channel->rings[0];
    world->ring->claimed = 1;
    world->wake_at = SER_PERIOD;
    ser_runtime_options_read(&world->options, getenv(SER_OPTIONS_VARIABLE));
    if (world->parallel && world->options.threads > channel->ring_count - 2)
        world->options.threads = channel->ring_count - 2; /* of the others is told in channel.h */
    world->can_steal = ser_lines_start();
    if (world->parallel)
        ser_freeze_constants();
    ser_unwinder_find();
    ser_policy_start();
    ser_replay_start();
    ser_inputs_start();
    ser_thread_key();
    pthread_atfork(0, 0, ser_stop_in_child);
    on_exit(at_exit, 0);
    ser_thread_adopt();
}

/* The first to come, before main: there are no other threads yet. */
__attribute__((constructor(101))) static void begin(void)
{
    ser_start();
}

void ser_start(void)
{
    static bool started;
    ser_real_find();
    if (started || !environ)
        return;
    started = true;
    int descriptor = ser_descriptor_in(SER_CHANNEL_VARIABLE);
    ser_channel *channel = claim(descriptor);
    if (channel)
        attach(channel);
    else
        ser_is_off = true;
}
