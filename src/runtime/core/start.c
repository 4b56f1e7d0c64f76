/* SPDX-License-Identifier: MIT */
/*
 * The beginning and the end of a recording: attaching to the recorder's channel, and the last
 * record.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/handover.h"
#include "runtime/core/ancestors.h"
#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/token.h"

static ser_runtime_world *const world = &ser_the_world;

/* Excluded from core dumps: writing them would make the system allocate all rings. */
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
    return channel->magic == SER_CHANNEL_MAGIC && channel->version == SER_CHANNEL_VERSION &&
           channel->ring_count <= SER_CHANNEL_RINGS &&
           size >= ser_channel_size(channel->ring_count) && lies_inside(channel->settings, size) &&
           lies_inside(channel->schedule, size) && lies_inside(channel->inputs, size) &&
           lies_inside(channel->log, size);
}

/* The real process number, also in a replay that gives the program a recorded one. */
static int32_t own_process(void)
{
    return (int32_t)ser_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* The channel, if it is one and was not claimed yet. The program does not see its descriptor. */
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
    if (is_ours && __atomic_compare_exchange_n(&channel->owner, &nobody, own_process(), false,
                                               __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return channel;
    ser_sys(SYS_munmap, (long)channel, (long)size, 0, 0, 0, 0);
    return 0;
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

void ser_write_end(uint64_t how, uint64_t status)
{
    if (!world->channel || world->ended || own_process() != world->process)
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

static void attach(ser_channel *channel)
{
    world->channel = channel;
    world->parallel = channel->parallel != 0;
    world->process = own_process();
    world->recording = true;
    world->ring = &channel->rings[0];
    world->ring->claimed = 1;
    world->wake_at = SER_PERIOD;
    ser_runtime_options_read(&world->options, ser_channel_at(channel, channel->settings));
    if (world->parallel && world->options.threads > channel->ring_count - 2)
        world->options.threads = channel->ring_count - 2; /* channel.h says what the others are */
    world->can_steal = ser_clocks_start();
    ser_runtime_log_start();
    ser_log(RUNTIME, INFO, "recording in %s mode: scheduler %u, seed %u, quantum %u",
            ser_log_text(world->parallel ? "parallel" : "serial"), world->options.scheduler,
            world->options.seed, world->options.quantum);
    ser_policy_start();
    ser_replay_start();
    ser_the_platform.attached();
}

void ser_attach(void)
{
    int inherited = ser_handover_take();
    ser_channel *channel = claim(inherited < 0 ? ser_ancestors_channel() : inherited);
    if (channel)
        attach(channel);
    else
        ser_is_off = true;
}
