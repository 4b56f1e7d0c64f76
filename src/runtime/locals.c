/* SPDX-License-Identifier: MIT */
/*
 * Each thread's variables stand in an array by falling address. The stack grows downwards, so
 * that those of frames that have been left are at its end, below the stack's.
 *
 * Parallel mode: others look there, too, when they come to a variable first, under a lock.
 * What they tell the recorder stands in their own ring, at the clock of the access; of two that
 * come to the same variable at once, the second one takes a later clock.
 */
#include "runtime/locals.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/lines.h"

static ser_world *const world = &ser_the_world;

enum { MOST_LOCALS = 1 << 12, LARGEST = 1 << 16 };

static uint64_t tag_of(const ser_local *local)
{
    return ser_tag(SER_RAW_LOCAL, 0, local->site);
}

static void tell_at_once(ser_thread *me, const ser_local *local)
{
    if (world->parallel)
        ser_lines_rise(me, local->address, local->size);
    ser_lines_tick(me);
    ser_put_raw(me, local->address, local->size, tag_of(local));
    if (world->parallel)
        ser_lines_publish(me);
}

static bool can_hold(ser_thread *me, size_t size)
{
    if (me->keeping || size == 0 || size > LARGEST)
        return false;
    if (!me->locals)
        me->locals = ser_memory(MOST_LOCALS * sizeof *me->locals);
    return me->locals && me->local_count < MOST_LOCALS;
}

/* Forgets the variables of frames that have been left, as far as is known: those below the
 * stack, and those whose memory has a new one. Returns the new one's place in the array. */
static uint32_t forget(ser_thread *me, const ser_local *local, uintptr_t stack)
{
    ser_local *list = me->locals;
    uint32_t count = me->local_count;
    while (count > 0 && list[count - 1].address < stack)
        count--;
    uint32_t end = count;
    while (end > 0 && list[end - 1].address + list[end - 1].size <= local->address)
        end--;
    uint32_t first = end;
    while (first > 0 && list[first - 1].address < local->address + local->size)
        first--;
    if (first < end && end < count)
        memmove(&list[first], &list[end], (count - end) * sizeof *list);
    me->local_count = count - (end - first);
    return first;
}

static void hold(ser_thread *me, const ser_local *local, uintptr_t stack)
{
    uint32_t place = forget(me, local, stack);
    ser_local *list = me->locals;
    if (place < me->local_count)
        memmove(&list[place + 1], &list[place], (me->local_count - place) * sizeof *list);
    list[place] = *local;
    me->local_count++;
    me->held_at[local->address / 8 % SER_HELD] = (uint16_t)place;
}

static bool is_untold(const ser_thread *me, const ser_word *word)
{
    static const uint64_t flags = SER_WORD_HIDDEN | SER_WORD_OUTSIDE | SER_WORD_UNTOLD;
    return (word->write & SER_WORD_FLAGS) == flags && ser_stamp_is_of(word->write, me->stamp) &&
           ser_stamp_is_of(word->read, me->stamp);
}

bool ser_local_is_held(const ser_thread *me, uintptr_t address, size_t size, uint32_t site,
                       const ser_word *words)
{
    uint32_t place = me->held_at[address / 8 % SER_HELD];
    if (place >= me->local_count)
        return false;
    const ser_local *held = &me->locals[place];
    if (held->address != address || held->size != size || held->site != site || held->told)
        return false;
    const ser_word *end = words + (address % 8 + size + 7) / 8;
    while (words < end && is_untold(me, words))
        words++;
    return words == end;
}

static void lock(ser_thread *owner)
{
    if (!world->parallel)
        return;
    for (unsigned tries = 0; __atomic_exchange_n(&owner->locals_lock, 1, __ATOMIC_ACQUIRE); tries++)
        ser_relax_or_yield(tries);
}

static void unlock(ser_thread *owner)
{
    if (world->parallel)
        __atomic_store_n(&owner->locals_lock, 0, __ATOMIC_RELEASE);
}

void ser_local_begin(ser_thread *me, uintptr_t address, size_t size, uint32_t site, uintptr_t stack)
{
    ser_local local = {.address = address, .size = (uint32_t)size, .site = site};
    bool held = can_hold(me, size);
    lock(me);
    if (held)
        hold(me, &local, stack);
    else if (me->locals)
        forget(me, &local, stack);
    unlock(me);
    if (held) {
        ser_shadow_own(me, address, size);
    } else {
        ser_shadow_renew(address, (size + 7) / 8 * 8); /* the rest is unused */
        tell_at_once(me, &local);
    }
}

static ser_thread *owner_of(ser_thread *me, uintptr_t address)
{
    if (address - me->stack_low < me->stack_size)
        return me;
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
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

/* The access that comes next is later than the record, whoever wrote it. */
static void tell(ser_thread *me, const ser_thread *owner, ser_local *local)
{
    if (local->told) {
        if (world->parallel && me->clock <= local->since)
            me->clock = local->since + 1;
        return;
    }
    if (world->parallel)
        ser_lines_rise_above_all(me);
    ser_put_of(me, owner, local->address, local->size, tag_of(local));
    local->since = me->clock;
    local->told = true;
}

bool ser_local_tell(ser_thread *me, uintptr_t word)
{
    ser_thread *owner = owner_of(me, word);
    bool known = false;
    if (!owner)
        return false;
    lock(owner);
    for (uint32_t i = first_below(owner, word + 8); i < owner->local_count; i++) {
        ser_local *local = &owner->locals[i];
        if (local->address + local->size <= word)
            break;
        known = true;
        tell(me, owner, local);
    }
    unlock(owner);
    return known;
}
