/* SPDX-License-Identifier: MIT */
/*
 * Functions, places and annotations.
 *
 * A thread remembers the sites of its open calls, so that leaving several frames
 * at once (exceptions, longjmp) gives every call its return. Depth counts on where
 * the memory ends; such deep calls are not recorded, and neither are their returns.
 */
#include "runtime/lines.h"
#include "runtime/runtime.h"

static ser_world *const world = &ser_the_world;

/* An event of the thread alone. */
static void put_own(ser_thread *me, int op, uint64_t object, uint64_t value, uint32_t site)
{
    if (!world->recording)
        return;
    ser_lines_tick(me);
    ser_put_record(me, object, value, ser_tag(op, 0, site));
    if (world->parallel)
        ser_lines_publish(me);
}

void ser_frame_enter(ser_thread *me, uint32_t site)
{
    if (me->depth < SER_STACK_DEPTH && me->stack) {
        me->stack[me->depth] = site;
        put_own(me, SER_OP_CALL, site, 0, site);
    }
    me->depth++;
}

SER_EXPORT ser_abi_u32 __seriatim_enter(ser_abi_site *function)
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

/* Leaves frames until `depth` are open. The ring has room for SER_ROOM records only, so
 * that many are left at a time. */
static void unwind(uint32_t depth)
{
    while (ser_self->depth > depth) {
        ser_thread *me = ser_enter();
        if (!me)
            return;
        for (int left = SER_ROOM / 2; left > 0 && me->depth > depth; left--) {
            uint32_t site = --me->depth < SER_STACK_DEPTH && me->stack ? me->stack[me->depth] : 0;
            if (site)
                put_own(me, SER_OP_RETURN, site, 0, site);
        }
        ser_leave(me);
    }
}

SER_EXPORT void __seriatim_leave(ser_abi_u32 depth)
{
    if (world->options.calls)
        unwind(depth);
}

/* The function itself, at `depth`, stays open. */
SER_EXPORT void __seriatim_arrive(ser_abi_u32 depth)
{
    if (world->options.calls)
        unwind(depth + 1);
}

SER_EXPORT void __seriatim_at(ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (me != &ser_nobody && me != &ser_stranger)
        me->at = site;
}

SER_EXPORT void __seriatim_local(void *address, size_t size, ser_abi_site *site)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    put_own(me, SER_RAW_LOCAL, (uintptr_t)address, size, ser_site_number(me, site));
    ser_leave(me);
}

SER_EXPORT void __seriatim_atomic_begin(const char *name, const char *file, int line,
                                        const char *function)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    uint32_t site = ser_place_number(me, file, (uint32_t)line, function);
    put_own(me, SER_OP_BEGIN, ser_text_number(me, name), 0, site);
    me->blocks++;
    ser_leave(me);
}

SER_EXPORT void __seriatim_atomic_end(const char *file, int line, const char *function)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    if (me->blocks > 0) {
        me->blocks--;
        put_own(me, SER_OP_END, 0, 0, ser_place_number(me, file, (uint32_t)line, function));
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

/* The limit must not let accesses take the fast path meanwhile. */
static void change_ignoring(int by)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    ser_lock_take(&world->lock);
    if (by > 0 || me->ignoring > 0)
        me->ignoring += (uint32_t)by;
    __atomic_store_n(&me->limit, 0, __ATOMIC_RELAXED);
    me->line_limit = 0;
    ser_lock_give(&world->lock);
    ser_leave(me);
}

SER_EXPORT void __seriatim_ignore_begin(void)
{
    change_ignoring(1);
}

SER_EXPORT void __seriatim_ignore_end(void)
{
    change_ignoring(-1);
}
