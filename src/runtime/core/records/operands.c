/* SPDX-License-Identifier: MIT */
/*
 * Numbers with which a value is compared that is about to be read (abi.h: operand). The recorder
 * puts them into the guards of the read.
 *
 * They may be many, a trace keeps some hundred different ones, and a record costs more than the
 * load. So a thread records at most MOST_RECORDED of them; later reads have no guards.
 */
#include "runtime/core/records/clocks.h"
#include "runtime/core/records/elided.h"
#include "runtime/core/records/record.h"

enum { MOST_RECORDED = 1 << 12 };

static ser_runtime_world *const world = &ser_the_world;

static void put_operand(ser_thread *me, uint64_t value, uint32_t site)
{
    if (world->parallel) {
        ser_clocks_catch_up(me);
        ser_clocks_tick(me);
    }
    ser_put_note(me, SER_RAW_OPERAND, site, value, 0);
    if (world->parallel)
        ser_clocks_publish(me);
}

static __attribute__((noinline)) void record_operand(ser_thread *me, uint64_t value,
                                                     ser_abi_site *site)
{
    if (me == &ser_nobody || me == &ser_stranger || me->ignoring || !world->recording)
        return;
    me = ser_enter();
    if (!me)
        return;
    bool is_last = me->recorded_operands++ == MOST_RECORDED;
    if (world->recording)
        put_operand(me, value, is_last ? 0 : ser_site_number(me, site));
    ser_leave(me);
}

SER_EXPORT void __seriatim_operand(ser_abi_u64 value, ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (ser_unlikely(me->recorded_operands <= MOST_RECORDED))
        record_operand(me, value, site);
}
