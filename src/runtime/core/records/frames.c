/* SPDX-License-Identifier: MIT */
/*
 * Functions, places and annotations.
 *
 * A thread remembers the sites of its open calls, so that leaving several frames at once
 * (exceptions, longjmp) gives every call its return. Deeper than the table, only the depth is
 * counted; such calls are not recorded, and neither are their returns.
 *
 * A call is recorded at its function, a return at the place that it goes back to, if the caller has
 * announced it.
 */
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/records/elided.h"

static ser_runtime_world *const world = &ser_the_world;

/* An event of the thread alone. */
static void put_own(ser_thread *me, int op, uint64_t object, uint64_t value, uint32_t site)
{
    ser_clocks_tick(me);
    ser_put_record(me, object, value, ser_tag(op, 0, site));
    if (world->parallel)
        ser_clocks_publish(me);
}

/* A call or return, with what was elided before it. */
static void put_call(ser_thread *me, int op, uint32_t function, uint32_t site)
{
    if (world->recording)
        put_own(me, op, function, ser_record_calls(me), site);
}

/* Code that is not instrumented announces nothing, and must not find what others have. */
static inline ser_abi_site *take_place_of_call(ser_thread *me)
{
    ser_abi_site *from = me->calling;
    me->calling = 0;
    return from;
}

/* Begin or end of a block. */
static void put_mark(ser_thread *me, int op, uint64_t label, uint32_t site)
{
    if (!world->recording)
        return;
    ser_record_elided(me);
    put_own(me, op, label, 0, site);
}

/* A call is elided until something is recorded in it (ser_record_elided). */
static inline void leave_call_out(ser_thread *me, uint32_t depth, uint32_t site)
{
    me->calls[depth] = (ser_call){me->stamp, site, take_place_of_call(me)};
    me->depth = depth + 1;
    ser_leave_out(me);
}

void ser_frame_enter(ser_thread *me, uint32_t site)
{
    uint32_t depth = me->depth;
    if (depth >= me->call_room) {
        me->depth++;
    } else if (me->keeping) {
        put_call(me, SER_OP_CALL, site, site);
        me->calls[depth] = (ser_call){.site = site, .from = take_place_of_call(me)};
        me->depth = me->recorded_depth = depth + 1;
    } else {
        leave_call_out(me, depth, site);
    }
}

/* The innermost call ends; its own call is recorded if it was. */
static void frame_leave(ser_thread *me)
{
    uint32_t depth = --me->depth;
    if (depth >= me->call_room)
        return;
    if (me->recorded_depth <= depth) {
        ser_leave_out(me);
    } else {
        const ser_call *call = &me->calls[depth];
        uint32_t place = call->from ? ser_site_number(me, call->from) : call->site;
        put_call(me, SER_OP_RETURN, call->site, place);
        me->recorded_depth = depth;
    }
}

/* The fastest path: the thread elides calls, and is inside then. */
static SER_ALWAYS_INLINE bool elides_call(ser_thread *me)
{
    if (ser_unlikely(me->inside))
        return false;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    if (ser_likely(me->stamp < me->elide_limit))
        return true;
    ser_leave(me);
    return false;
}

/* The fast path, as of an access: inside, and room for one record. */
typedef enum way_in { SLOWLY, IN_SERIAL, IN_PARALLEL } way_in;

static inline way_in begin(ser_thread *me)
{
    if (ser_unlikely(me->inside))
        return SLOWLY;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    uint64_t position = ser_position(me);
    bool serial = position < me->limit;
    if (ser_likely(serial || position < me->line_limit)) {
        if (serial)
            return IN_SERIAL;
        ser_raise_own_clock(me);
        return IN_PARALLEL;
    }
    ser_leave(me);
    return SLOWLY;
}

static inline void end(ser_thread *me, way_in way, int op, uint32_t function, uint32_t site)
{
    me->clock += way == IN_PARALLEL;
    ser_put_record(me, function, ser_take_elided(me), ser_tag(op, 0, site));
    if (way == IN_PARALLEL)
        ser_clocks_publish(me);
    ser_leave(me);
}

static SER_COLD ser_abi_u32 enter_slowly(ser_abi_site *function)
{
    if (!world->options.calls)
        return 0;
    ser_thread *me = ser_enter();
    if (!me)
        return ser_self->depth;
    uint32_t depth = me->depth;
    ser_frame_enter(me, ser_site_number(me, function));
    ser_leave(me);
    return depth;
}

static __attribute__((noinline)) ser_abi_u32 enter(ser_thread *me, ser_abi_site *function)
{
    uint32_t depth = me->depth;
    bool recorded =
        !me->keeping || me->recorded_depth == depth; /* no other record must come before it */
    bool fast = function->number && depth < me->call_room && recorded;
    way_in way = ser_likely(fast) ? begin(me) : SLOWLY;
    if (ser_unlikely(way == SLOWLY))
        return enter_slowly(function);
    if (!me->keeping) {
        leave_call_out(me, depth, function->number);
        ser_leave(me);
        return depth;
    }
    me->calls[depth] = (ser_call){.site = function->number, .from = take_place_of_call(me)};
    me->depth = me->recorded_depth = depth + 1;
    end(me, way, SER_OP_CALL, function->number, function->number);
    return depth;
}

SER_EXPORT void __seriatim_calls(ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (!me->ignoring)
        me->calling = site;
}

SER_EXPORT ser_abi_u32 __seriatim_enter(ser_abi_site *function)
{
    ser_thread *me = ser_self;
    uint32_t depth = me->depth, site = function->number;
    if (ser_unlikely(!site || depth >= me->call_room || !elides_call(me)))
        return enter(me, function);
    leave_call_out(me, depth, site);
    ser_leave(me);
    return depth;
}

/* Leaves frames until `depth` are open. The ring has room for SER_ROOM records only, so
 * that many are left at a time. */
static SER_COLD void unwind(uint32_t depth)
{
    while (ser_self->depth > depth) {
        ser_thread *me = ser_enter();
        if (!me)
            return;
        for (int left = SER_ROOM / 2; left > 0 && me->depth > depth; left--)
            frame_leave(me);
        ser_leave(me);
    }
}

/* The place that a call returns to; 0: it has no number yet. */
static inline uint32_t place_after(const ser_call *call)
{
    return call->from ? __atomic_load_n(&call->from->number, __ATOMIC_ACQUIRE) : call->site;
}

static __attribute__((noinline)) void leave(ser_thread *me, uint32_t depth)
{
    bool plain = me->depth == depth + 1 && depth < me->call_room;
    bool elided = plain && me->recorded_depth <= depth;
    uint32_t place = plain && !elided ? place_after(&me->calls[depth]) : 0;
    way_in way = ser_likely(elided || place) ? begin(me) : SLOWLY;
    if (ser_unlikely(way == SLOWLY)) {
        if (world->options.calls)
            unwind(depth);
        return;
    }
    me->depth = depth;
    if (me->recorded_depth <= depth) {
        ser_leave_out(me);
        ser_leave(me);
        return;
    }
    me->recorded_depth = depth;
    end(me, way, SER_OP_RETURN, me->calls[depth].site, place);
}

/* A signal handler may record the held-back call until the thread is inside: so that is tested
 * again inside. */
SER_EXPORT void __seriatim_leave(ser_abi_u32 depth)
{
    ser_thread *me = ser_self;
    me->calling = 0;
    bool fast = me->depth == depth + 1 && depth < me->call_room && elides_call(me);
    if (ser_likely(fast && me->recorded_depth <= depth)) {
        me->depth = depth;
        ser_leave_out(me);
        ser_leave(me);
        return;
    }
    if (fast)
        ser_leave(me);
    leave(me, depth);
}

/* The function itself, at `depth`, stays open. */
SER_EXPORT void __seriatim_arrive(ser_abi_u32 depth)
{
    ser_the_platform.arrives();
    ser_self->calling = 0;
    if (world->options.calls)
        unwind(depth + 1);
}

static uint32_t define_place(ser_abi_site *site)
{
    ser_thread *me = ser_enter();
    if (!me)
        return 0;
    uint32_t number = ser_site_number(me, site);
    ser_leave(me);
    return number;
}

/* For a site that is used for the first time, or in an object that does not announce calls of
 * code without instrumentation. */
static SER_COLD void note_place_slowly(ser_thread *me, ser_abi_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_ACQUIRE);
    me->at = number ? number : define_place(site);
    if (!(site->flags & SER_ABI_SITE_TELLS))
        ser_stay_outside(me);
}

static inline void note_place(ser_thread *me, ser_abi_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_ACQUIRE);
    me->at = number;
    if (ser_unlikely(!number || !(site->flags & SER_ABI_SITE_TELLS)))
        note_place_slowly(me, site);
}

SER_EXPORT void __seriatim_at(ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (!me->ignoring)
        note_place(me, site);
}

SER_EXPORT void __seriatim_frees(void *block, ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (me->ignoring)
        return;
    me->freeing = block;
    note_place(me, site);
}

/* In a marked block everything is recorded. */
static void keep(ser_thread *me, int by)
{
    me->keeping += (uint32_t)by;
    if (world->parallel) {
        ser_set_line_limit(me, me->line_limit);
        return;
    }
    ser_lock_take(&world->lock);
    ser_set_limit(me, me->limit);
    ser_lock_give(&world->lock);
}

SER_EXPORT void __seriatim_atomic_begin(const char *name, const char *file, int line,
                                        const char *function)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    uint32_t site = ser_place_number(me, file, (uint32_t)line, function);
    put_mark(me, SER_OP_BEGIN, ser_text_number(me, name), site);
    me->blocks++;
    keep(me, 1);
    ser_leave(me);
}

SER_EXPORT void __seriatim_atomic_end(const char *file, int line, const char *function)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    if (me->blocks > 0) {
        me->blocks--;
        keep(me, -1);
        put_mark(me, SER_OP_END, 0, ser_place_number(me, file, (uint32_t)line, function));
    }
    ser_leave(me);
}

SER_EXPORT void __VERIFIER_atomic_begin(void)
{
    __seriatim_atomic_begin(0, 0, 0, 0);
}

SER_EXPORT void __VERIFIER_atomic_end(void)
{
    __seriatim_atomic_end(0, 0, 0);
}

/* The limit must keep accesses from the fast path in the meantime. */
static void change_ignoring(int by)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    ser_lock_take(&world->lock);
    if (by > 0 || me->ignoring > 0)
        me->ignoring += (uint32_t)by;
    me->line_limit = 0;
    ser_set_limit(me, 0);
    ser_lock_give(&world->lock);
    ser_leave(me);
}

/* Ignored code counts as code that is not instrumented. */
SER_EXPORT void __seriatim_ignore_begin(void)
{
    __seriatim_outside(SER_ABI_LEAVES);
    change_ignoring(1);
}

SER_EXPORT void __seriatim_ignore_end(void)
{
    change_ignoring(-1);
    __seriatim_outside(SER_ABI_RETURNS);
}
