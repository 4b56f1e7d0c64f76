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

#include "runtime/cancel.h"
#include "runtime/frozen.h"
#include "runtime/handover.h"
#include "runtime/inputs.h"
#include "runtime/lines.h"
#include "runtime/log.h"
#include "runtime/replay.h"
#include "runtime/thread.h"

static ser_world *const world = &ser_the_world;

/* Without it in core files: the system would give memory to all rings, to write it there. */
static ser_channel *map_channel(int descriptor, size_t *size)
{
    struct stat status;
    if (fstat(descriptor, &status) < 0 || (size_t)status.st_size < ser_channel_size(1))
        return 0;
    *size = (size_t)status.st_size;
    void *memory = ser_map(*size, MAP_SHARED, descriptor);
    if (memory)
        madvise(memory, *size, MADV_DONTDUMP);
    return memory;
}

static bool lies_inside(ser_channel_part part, size_t size)
{
    return part.size <= size && part.start <= size - part.size;
}

static bool is_channel(const ser_channel *channel, size_t size)
{
    return channel->magic == SER_CHANNEL_MAGIC && channel->version == 2 &&
           channel->ring_count <= SER_CHANNEL_RINGS &&
           size >= ser_channel_size(channel->ring_count) && lies_inside(channel->settings, size) &&
           lies_inside(channel->schedule, size) && lies_inside(channel->inputs, size) &&
           lies_inside(channel->log, size);
}

/* The channel, if it is one and nobody has it yet. The program does not see its descriptor. */
static ser_channel *claim(int descriptor)
{
    size_t size = 0;
    ser_channel *channel = descriptor < 0 ? 0 : map_channel(descriptor, &size);
    int32_t nobody = 0;
    if (!channel)
        return 0;
    bool is_ours = is_channel(channel, size);
    if (is_ours)
        close(descriptor);
    if (is_ours && __atomic_compare_exchange_n(&channel->owner, &nobody, getpid(), false,
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return channel;
    munmap(channel, size);
    return 0;
}

void ser_stop_in_child(void)
{
    ser_cancel_hand_back(ser_self);
    ser_self = &ser_stranger;
    world->channel = 0;
    world->recording = false;
    ser_log_wanted = 0;
    ser_is_off = true;
}

static void write_last(ser_thread *writer, uint8_t op, uint64_t object, uint64_t value)
{
    ser_ring *ring = writer->ring;
    ring->records[ring->head % SER_RING_RECORDS] = (ser_record){.object = object,
                                                                .value = value,
                                                                .clock = UINT64_MAX,
                                                                .thread = (uint16_t)writer->number,
                                                                .op = op};
    __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
}

static void write_end(uint64_t how, uint64_t status)
{
    if (!world->channel || world->ended || ser_real.getpid() != world->process)
        return;
    ser_thread *me = ser_enter();
    world->ended = true;
    ser_thread *writer = me ? me : world->threads[0];
    ser_log(RUNTIME, INFO, "the program ends by %s with status %u",
            ser_log_text(how ? "_exit" : "exit"), status);
    if (me || !world->holder) {
        if (world->options.turns && !world->parallel)
            write_last(writer, SER_RAW_TURNS, 0, world->turn);
        write_last(writer, SER_RAW_END, status, how);
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
    world->foreign_heap = ser_heap_is_foreign();
    world->recording = true;
    world->ring = &channel->rings[0];
    world->ring->claimed = 1;
    world->wake_at = SER_PERIOD;
    ser_runtime_options_read(&world->options, ser_channel_at(channel, channel->settings));
    if (world->parallel && world->options.threads > channel->ring_count - 2)
        world->options.threads = channel->ring_count - 2; /* of the others is told in channel.h */
    world->can_steal = ser_lines_start();
    ser_log_start();
    ser_log(RUNTIME, INFO, "recording in %s mode: scheduler %u, seed %u, quantum %u",
            ser_log_text(world->parallel ? "parallel" : "serial"), world->options.scheduler,
            world->options.seed, world->options.quantum);
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

/* What is called here may come back, through a malloc of the program's own: nothing of that is
 * recorded. */
void ser_start(void)
{
    static bool started;
    ser_real_find();
    if (started || !environ)
        return;
    started = true;
    ser_self = &ser_stranger;
    ser_channel *channel = claim(ser_handover_take());
    if (channel)
        attach(channel);
    else
        ser_is_off = true;
    if (ser_is_off)
        ser_self = &ser_nobody;
}
