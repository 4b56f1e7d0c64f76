/* SPDX-License-Identifier: MIT */
/*
 * enter.h - entering and leaving the runtime.
 *
 * Every function that the program can call follows one pattern:
 *
 *     ser_thread *me = ser_enter();
 *     if (!me)
 *         return ser_real.f(...);       // nothing to record here: just do it
 *     ... do it, ser_put(me, ...) ...
 *     ser_leave(me);
 *
 * Between the two `inside` is set. In serial mode the thread then holds the token, and keeps it:
 * the watchdog takes the token only from threads that are not inside (docs/runtime.md has the
 * proof). A caller that finds `inside` set on entry is a signal handler, or code of the C library
 * that the runtime itself called: it gets a null pointer, and its work is done but not recorded.
 *
 * `limit` is the one thing that the fast path of an access compares: how far the head of the ring,
 * plus a fraction of the thread's elided operations (elision.h), may go until it must take the slow
 * path. It is 0 for a thread that does not have the token, ignores its accesses, or runs in
 * parallel mode (which has a limit of its own); else it is the end of the turn or of the room in
 * the ring. Only the holder of ser_runtime_world.lock writes it. `elide_limit` says the same for
 * operations that are elided, as a stamp: it is not lowered by what is recorded meanwhile, so that
 * a turn may last twice as long. In serial mode it is the end of the turn alone, since what is
 * elided needs no room: were it found anew whenever the recorder is slow, the same seed would not
 * give the same run.
 */
#ifndef SER_RUNTIME_CORE_ENTER_H
#define SER_RUNTIME_CORE_ENTER_H

#include "runtime/core/records/record.h"

/* Slow part of ser_enter: token, turn, room. */
ser_thread *ser_enter_slowly(ser_thread *me);
/* The same where the thread must not be cancelled. */
ser_thread *ser_enter_slowly_in_turn(ser_thread *me);
/* For a thread that is inside already, or unknown. */
ser_thread *ser_enter_unknown(ser_thread *me);

/* How many operations of the thread were elided. */
static inline uint64_t ser_elided(const ser_thread *thread)
{
    return ser_stamp_operation(thread->stamp) - thread->recorded;
}

/* Elided operations count little towards the end of a turn: switching threads there shows
 * nothing new. */
enum { SER_WEIGHS_ONE = 16 };
static inline uint64_t ser_weight(const ser_thread *thread)
{
    return ser_elided(thread) / SER_WEIGHS_ONE;
}

/* What is compared with the limit. */
static inline uint64_t ser_position(const ser_thread *me)
{
    return me->ring->head + ser_weight(me);
}

/* The stamp that the thread has so many positions on, if it elides everything until then. */
static inline uint64_t ser_elide_until(const ser_thread *thread, uint64_t length)
{
    return thread->stamp + length * SER_WEIGHS_ONE * SER_STAMP_ONE;
}

/* Serial mode, under ser_runtime_world.lock: the position where the thread must look further. */
static inline void ser_set_limit(ser_thread *thread, uint64_t limit)
{
    uint64_t elide_limit = limit && !thread->keeping ? ser_the_world.hide_end : 0;
    __atomic_store_n(&thread->limit, limit, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->elide_limit, elide_limit, __ATOMIC_RELAXED);
}

/* The thread itself wants to take the slow path when it next enters. That sets the limits anew. */
static inline void ser_drop_limits(ser_thread *me)
{
    __atomic_store_n(ser_the_world.parallel ? &me->line_limit : &me->limit, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&me->elide_limit, 0, __ATOMIC_RELAXED);
}

/* Parallel mode; called by the thread itself. A thread that cannot own lines elides nothing
 * without a lock. */
static inline void ser_set_line_limit(ser_thread *me, uint64_t limit)
{
    uint64_t now = ser_position(me);
    bool elides = limit > now && me->owner_tag && !me->keeping;
    me->line_limit = limit;
    me->elide_limit = elides ? ser_elide_until(me, limit - now) : 0;
}

/* Parallel mode: others may have raised it. After `inside` is set, so that they know. */
static inline void ser_raise_own_clock(ser_thread *me)
{
    uint64_t floor = __atomic_load_n(&me->floor, __ATOMIC_RELAXED);
    if (floor > me->clock)
        me->clock = floor;
}

/* Of the two limits one is 0. */
static inline ser_thread *ser_enter(void)
{
    ser_thread *me = ser_self;
    if (ser_unlikely(me->inside))
        return ser_is_off ? 0 : ser_enter_unknown(me);
    me->inside = 1;
    ser_compiler_barrier();
    if (ser_unlikely(ser_position(me) >= (me->limit | me->line_limit)))
        return ser_enter_slowly(me);
    ser_raise_own_clock(me);
    return me;
}

/* The same without the end of a turn, for calls that may come with locks of the C library held.
 * Null for a thread that is not known yet: it is not registered here. */
static inline ser_thread *ser_enter_in_turn(void)
{
    ser_thread *me = ser_self;
    if (me->inside == SER_PENDING)
        return ser_enter();
    if (me->inside)
        return 0;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    if (me->limit == 0)
        return ser_enter_slowly_in_turn(me);
    uint64_t tail = __atomic_load_n(&me->ring->tail, __ATOMIC_ACQUIRE);
    if (me->ring->head + SER_ROOM > tail + SER_RING_RECORDS)
        ser_ring_await_room(me);
    return me;
}

static inline void ser_leave(ser_thread *me)
{
    __atomic_store_n(&me->inside, SER_AWAY, __ATOMIC_RELEASE);
}

#endif
