/* SPDX-License-Identifier: MIT */
/*
 * Serial mode: each thread's variables stand in an array by falling address. The stack grows
 * downwards, so that those of frames that have been left are at its end, below the stack's.
 *
 * Parallel mode: others cannot look there. The recorder is told of a variable only if it is not
 * the one that it was told of at that place before, which gives the words their names; whoever
 * records an access of a marked word says that it is a new variable (SER_RAW_RENEW).
 */
#include "runtime/locals.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/lines.h"

static ser_world *const world = &ser_the_world;

enum { MOST_LOCALS = 1 << 12, LARGEST = 1 << 16 };

static void put(ser_thread *owner, const ser_local *local)
{
    ser_lines_tick(owner);
    ser_put_raw(owner, local->address, local->size, ser_tag(SER_RAW_LOCAL, 0, local->site));
    if (world->parallel)
        ser_lines_publish(owner);
}

static bool can_hold(ser_thread *me, size_t size)
{
    if (me->keeping || size == 0 || size > LARGEST)
        return false;
    if (!me->locals)
        me->locals = ser_memory(MOST_LOCALS * sizeof *me->locals);
    return me->locals && me->local_count < MOST_LOCALS;
}

/* Parallel mode. */
static void tell_if_new(ser_thread *me, const ser_local *local)
{
    ser_local *last = &me->locals[local->address / 8 % MOST_LOCALS];
    if (last->address == local->address && last->size == local->size && last->site == local->site)
        return;
    put(me, local);
    *last = *local;
}

/* Forgets the variables of frames that have been left, as far as is known: those below the
 * stack, and those whose memory has a new one. Returns the new one's place in the array. */
static uint32_t forget(ser_thread *me, const ser_local *local, uintptr_t stack)
{
    ser_local *list = me->locals;
    while (me->local_count > 0 && list[me->local_count - 1].address < stack)
        me->local_count--;
    uint32_t end = me->local_count;
    while (end > 0 && list[end - 1].address + list[end - 1].size <= local->address)
        end--;
    uint32_t first = end;
    while (first > 0 && list[first - 1].address < local->address + local->size)
        first--;
    memmove(&list[first], &list[end], (me->local_count - end) * sizeof *list);
    me->local_count -= end - first;
    return first;
}

static void hold(ser_thread *me, const ser_local *local, uintptr_t stack)
{
    uint32_t place = forget(me, local, stack);
    ser_local *list = me->locals;
    memmove(&list[place + 1], &list[place], (me->local_count - place) * sizeof *list);
    list[place] = *local;
    me->local_count++;
}

void ser_local_begin(ser_thread *me, uintptr_t address, size_t size, uint32_t site, uintptr_t stack)
{
    ser_local local = {.address = address, .size = (uint32_t)size & INT32_MAX, .site = site};
    if (!can_hold(me, size)) {
        ser_shadow_renew(address, (size + 7) / 8 * 8); /* the rest is unused */
        if (!world->parallel && me->locals)
            forget(me, &local, stack);
        put(me, &local);
        return;
    }
    if (world->parallel)
        tell_if_new(me, &local);
    else
        hold(me, &local, stack);
    ser_shadow_own(me, address, size);
}

static ser_thread *owner_of(ser_thread *me, uintptr_t address)
{
    if (address - me->stack_low < me->stack_size)
        return me;
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (address - world->threads[i]->stack_low < world->threads[i]->stack_size &&
            world->threads[i]->state != SER_ENDED)
            return world->threads[i];
    return 0;
}

/* The first in the array that begins below an address. */
static uint32_t first_below(const ser_thread *owner, uintptr_t address)
{
    uint32_t low = 0, high = owner->local_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (owner->locals[middle].address >= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ser_local_tell(ser_thread *me, uintptr_t word)
{
    ser_thread *owner = world->parallel ? 0 : owner_of(me, word);
    bool known = false;
    if (!owner)
        return false;
    for (uint32_t i = first_below(owner, word + 8); i < owner->local_count; i++) {
        ser_local *local = &owner->locals[i];
        if (local->address + local->size <= word)
            break;
        known = true;
        if (!local->told)
            put(owner, local);
        local->told = true;
    }
    return known;
}
