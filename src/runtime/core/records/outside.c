/* SPDX-License-Identifier: MIT */
/*
 * Calls of code that is not instrumented, which may read memory of the program (abi.h: outside).
 * Recorded once between two events of a thread.
 *
 * Such calls may be many, and nothing need be recorded around them. So a thread that has recorded
 * MOST_RECORDED of them records that it may run such code at any time, and no more.
 */
#include "runtime/core/records/clocks.h"
#include "runtime/core/records/elided.h"

enum { MOST_RECORDED = 4096, FOR_EVER = 1 << 30 };

static ser_runtime_world *const world = &ser_the_world;

static void put_stage(uint32_t stage)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    if (world->recording) {
        if (world->parallel) {
            ser_clocks_catch_up(me);
            ser_clocks_tick(me);
        }
        ser_put_note(me, SER_RAW_OUTSIDE, 0, stage, 0);
        if (world->parallel)
            ser_clocks_publish(me);
        me->ran_at = me->recorded + 1;
    }
    ser_leave(me);
}

void ser_stay_outside(ser_thread *me)
{
    if (me->away >= FOR_EVER || me == &ser_nobody || me == &ser_stranger)
        return;
    bool was_away = me->away > 0;
    me->away = FOR_EVER;
    if (!was_away)
        put_stage(SER_ABI_LEAVES);
}

/* Is there something new to record? */
static bool moves(ser_thread *me, uint32_t stage)
{
    switch (stage) {
    case SER_ABI_LEAVES:
        return me->away++ == 0;
    case SER_ABI_RETURNS:
        return me->away > 0 && --me->away == 0;
    default:
        return me->away == 0 && me->ran_at != me->recorded + 1;
    }
}

SER_EXPORT void __seriatim_outside(ser_abi_u32 stage)
{
    ser_thread *me = ser_self;
    if (stage == SER_ABI_STAYS || me->ignoring || me->away >= FOR_EVER)
        return;
    if (me->recorded_away == MOST_RECORDED)
        ser_stay_outside(me);
    else if (moves(me, stage)) {
        me->recorded_away++;
        put_stage(stage);
    }
}

/* The bytes before a function at the start of a page may not be mapped. */
bool ser_is_seen_function(const void *function)
{
    enum { PAGE = 4096 };
    uint64_t mark;
    if ((uintptr_t)function % PAGE < sizeof mark)
        return false;
    __builtin_memcpy(&mark, (const char *)function - sizeof mark, sizeof mark);
    return mark == SER_ABI_SEEN;
}

SER_EXPORT void __seriatim_outside_by(const void *function, ser_abi_u32 stage)
{
    if (!ser_is_seen_function(function))
        __seriatim_outside(stage);
}
