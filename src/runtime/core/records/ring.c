/* SPDX-License-Identifier: MIT */
/*
 * Writing records: the slow paths of enter.h.
 *
 * A writer that finds the ring full sleeps until the recorder has made room, and periodically
 * checks whether the recorder is still alive. If it is not, or says stop, recording ends: in serial
 * mode the threads get a private ring that is never full, so that the fast path need not know.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/token.h"

static ser_runtime_world *const world = &ser_the_world;

ser_runtime_world ser_the_world;
bool ser_is_off, ser_is_paused;
ser_thread ser_nobody = {.inside = 1, .ignoring = 1};
ser_thread ser_stranger = {.inside = 1, .ignoring = 1};
__thread ser_thread *ser_self = &ser_nobody;

void ser_lose(uint64_t count)
{
    if (world->channel && !world->thread_limit_reached)
        __atomic_fetch_add(&world->channel->lost, count, __ATOMIC_RELAXED);
}

void ser_ring_kick(void)
{
    __atomic_fetch_add(&world->channel->published, 1, __ATOMIC_RELEASE);
    ser_futex_wake(&world->channel->published, 1, true);
}

static char *append(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length + 1);
    return to + length;
}

static char *append_number(char *to, uint32_t number)
{
    char digits[12];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do
        *--start = (char)('0' + number % 10);
    while (number /= 10);
    return append(to, start);
}

char ser_proc_state(const char *prefix, uint32_t number)
{
    char path[64], content[256] = "";
    char *end = append_number(append(path, prefix), number);
    memcpy(end, "/stat", sizeof "/stat");
    long file = ser_sys(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file < 0)
        return file == -ENOENT || file == -ESRCH ? 'X' : 0;
    ser_sys(SYS_read, file, (long)content, sizeof content - 1, 0, 0, 0);
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    const char *name_end = strrchr(content, ')');
    return name_end && name_end[1] ? name_end[2] : 0;
}

bool ser_recorder_lives(void)
{
    if (!__atomic_load_n(&world->channel->recorder_alive, __ATOMIC_ACQUIRE))
        return false;
    char state = ser_proc_state("/proc/", (uint32_t)world->channel->recorder);
    if (!state) /* a sandbox may hide it: then it counts as alive */
        return ser_sys(SYS_kill, world->channel->recorder, 0, 0, 0, 0, 0) != -ESRCH;
    return state != 'Z' && state != 'X';
}

ser_ring *ser_ring_private(uint64_t head)
{
    ser_ring *ring = ser_map(sizeof *ring, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (!ring)
        return 0;
    ring->head = head;
    ring->tail = UINT64_MAX / 4;
    return ring;
}

void ser_stop_recording(void)
{
    if (!world->recording)
        return;
    world->recording = false;
    ser_log(RUNTIME, INFO, "recording stops at head %u", world->ring->head);
    __atomic_store_n(&world->channel->stop, 1, __ATOMIC_RELEASE);
    if (world->parallel)
        return;
    ser_ring *ring = ser_ring_private(world->ring->head);
    if (ring)
        world->ring = ring;
    else
        world->ring->tail = UINT64_MAX / 4; /* no recorder reads it any more */
}

/* Parallel mode: it has no clock, so that whatever others do from here on must be later than the
 * end. (What one of them is just doing may still come before it.) */
void ser_stop_for_stranger(ser_thread *me)
{
    if (world->parallel) {
        ser_lock_take(&world->lock);
        uint64_t end = ser_clocks_end_run(SER_THREADS);
        ser_lock_give(&world->lock);
        if (me->clock < end)
            me->clock = end;
        ser_clocks_push(me);
    } else if (!world->thread_limit_reached && world->recording) {
        world->thread_limit_reached = true;
        ser_put_raw(me, 0, SER_THREADS, ser_tag(SER_RAW_THREAD_LIMIT, 0, 0));
        ser_stop_recording();
        me->ring = world->ring;
        ser_ring_kick();
    }
}

static bool is_full(const ser_ring *ring, uint64_t needed)
{
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    return ring->head + needed > tail + SER_RING_RECORDS;
}

static bool must_stop(void)
{
    return __atomic_load_n(&world->channel->stop, __ATOMIC_ACQUIRE) || !ser_recorder_lives();
}

static void await_room_in(ser_thread *me, ser_ring *ring, uint64_t needed)
{
    while (is_full(ring, needed) && world->recording) {
        uint32_t seen = __atomic_load_n(&ring->room, __ATOMIC_ACQUIRE);
        ser_log(RUNTIME, DEBUG, "the ring of T%u is full at head %u", me->number, ring->head);
        ser_ring_kick();
        if (world->parallel)
            ser_clocks_push(me);
        if (!is_full(ring, needed))
            break;
        ser_deadline soon = ser_deadline_in(world->parallel ? 1000 : 20000);
        if (ser_futex_wait(&ring->room, seen, &soon, true) == -ETIMEDOUT && must_stop())
            ser_stop_recording();
    }
}

void ser_ring_await_room(ser_thread *me)
{
    if (__atomic_load_n(&world->channel->stop, __ATOMIC_ACQUIRE))
        ser_stop_recording();
    await_room_in(me, me->ring, SER_ROOM);
    if (!world->parallel)
        me->ring = world->ring;
}

static void put_whole(ser_thread *me, ser_ring *ring, const ser_record *record)
{
    if (is_full(ring, SER_ROOM)) { /* not less: an event follows */
        await_room_in(me, ring, SER_ROOM);
        if (!world->recording && world->parallel)
            return;
        if (!world->parallel)
            ring = me->ring = world->ring;
    }
    ring->records[ring->head % SER_RING_RECORDS] = *record;
    __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
}

void ser_put_definition(ser_thread *me, const ser_record *record)
{
    put_whole(me, world->parallel ? &world->channel->rings[0] : me->ring, record);
}

void ser_put_whole(ser_thread *me, const ser_record *record)
{
    put_whole(me, me->ring, record);
}

ser_thread *ser_enter_slowly_in_turn(ser_thread *me)
{
    if (world->parallel)
        ser_clocks_catch_up(me);
    else
        ser_token_step(me);
    if (ser_unlikely(me->defers))
        ser_drop_limits(me);
    return me;
}

/* Handlers may jump away, and do what the program can do between two operations. */
static SER_COLD void handle_deferred(ser_thread *me)
{
    ser_leave(me);
    ser_the_platform.handles_deferred(me);
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
}

ser_thread *ser_enter_slowly(ser_thread *me)
{
    if (ser_unlikely(me->defers))
        handle_deferred(me);
    ser_enter_slowly_in_turn(me);
    if (ser_unlikely(me->async))
        ser_the_platform.cancel_at_entry(me);
    return me;
}

/* The write comes before everything else, also before the end of the turn. If the watchdog has
 * taken the token, it has written the record; that is decided under the lock. */
static ser_thread *enter_with_pending(ser_thread *me)
{
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    if (ser_position(me) >= me->limit) {
        ser_lock_take(&world->lock);
        if (world->holder == me)
            ser_the_platform.write_pending(me);
        ser_lock_give(&world->lock);
        ser_enter_slowly_in_turn(me);
    }
    ser_the_platform.write_pending(me);
    return me;
}

ser_thread *ser_enter_unknown(ser_thread *me)
{
    if (me->inside == SER_PENDING)
        return enter_with_pending(me);
    if (me != &ser_nobody || ser_is_off)
        return 0;
    return ser_the_platform.meets_thread() ? ser_enter() : 0;
}

static void count_locks(ser_thread *me, int op)
{
    if (op == SER_OP_ACQUIRE || op == SER_OP_SHARED_ACQUIRE) {
        if (me->locks++ == 0)
            me->section = ser_stamp_operation(me->stamp);
    } else if ((op == SER_OP_RELEASE || op == SER_OP_SHARED_RELEASE) && me->locks > 0) {
        me->locks--;
    }
}

/* Parallel mode: after all synchronisation so far. False if nothing is recorded any more. */
static bool take_clock(ser_thread *me)
{
    if (!world->parallel)
        return true;
    if (world->recording)
        me->clock = (world->clock > me->clock ? world->clock : me->clock) + 1;
    return world->recording;
}

static void give_clock(ser_thread *me)
{
    if (!world->parallel)
        return;
    world->clock = me->clock;
    ser_clocks_publish(me);
}

void ser_put_sized(ser_thread *me, int op, const void *object, uint64_t value, uint32_t size)
{
    uint32_t site = ser_here(me);
    count_locks(me, op);
    if (!take_clock(me))
        return;
    if (!ser_the_platform.reveals(me, (uintptr_t)object))
        ser_put_raw(me, (uintptr_t)object, 8, ser_tag(SER_RAW_RENEW, 1, 0));
    ser_put_record(me, (uintptr_t)object, value, ser_tag(op, size, site));
    give_clock(me);
}

void ser_put_stream(ser_thread *me, uint64_t stream, uint64_t amount, uint32_t use)
{
    uint32_t site = ser_here(me);
    if (!take_clock(me))
        return;
    if (use != SER_STREAM_UNSENT)
        ser_count_recorded(me);
    int op = use != SER_STREAM_UNSENT ? SER_RAW_STREAM : SER_RAW_UNSENT;
    ser_put_raw(me, stream, amount, ser_tag(op, use, site));
    give_clock(me);
}

void ser_put_meeting(ser_thread *me, const void *object)
{
    uint32_t site = ser_here(me);
    if (!take_clock(me))
        return;
    ser_count_recorded(me);
    ser_put_raw(me, (uintptr_t)object, 0, ser_tag(SER_RAW_MEETS, 0, site));
    give_clock(me);
}
