/* SPDX-License-Identifier: MIT */
/*
 * Each thread's variables stand in a table by their address, where the same one is found again when
 * its function is called again. Those of frames that have been left stay until another one needs
 * their place. Memory belongs to what began there last.
 *
 * Parallel mode: other threads read the table, too, when they are the first to record an access of
 * a variable. They read again if its thread has changed the table in the meantime. The record of
 * the beginning goes into their own ring, at the clock of the access; if two come to the same
 * variable at once, the second takes a later clock.
 */
#include "runtime/elide/locals.h"

#include <sys/mman.h>

#include "runtime/core/records/lines.h"

static ser_runtime_world *const world = &ser_the_world;

enum { SLOTS = 1 << 12, LARGEST = 1 << 14, PATIENCE = 1 << 16 };

static ser_local *slot_of(const ser_thread *owner, uintptr_t address)
{
    return &owner->locals[address / 8 % SLOTS];
}

static uint64_t tag_of(const ser_local *local)
{
    return ser_tag(SER_RAW_LOCAL, 0, local->site);
}

static void record_at_once(ser_thread *me, const ser_local *local)
{
    if (world->parallel)
        ser_lines_rise(me, local->address, local->size);
    ser_clocks_tick(me);
    ser_put_raw(me, local->address, local->size, tag_of(local));
    if (world->parallel)
        ser_clocks_publish(me);
}

/* --- finding ---------------------------------------------------------------- */

/* The last that began of those that have bytes between two addresses. */
static ser_local *last_between(const ser_thread *owner, uintptr_t start, uintptr_t end)
{
    ser_local *last = 0;
    uintptr_t lowest = start - (owner->locals_largest < start ? owner->locals_largest : start);
    for (uintptr_t at = (end - 1) / 8; at + 1 > lowest / 8; at--) {
        ser_local *local = slot_of(owner, at * 8);
        uintptr_t address = __atomic_load_n(&local->address, __ATOMIC_ACQUIRE);
        uint64_t begun = __atomic_load_n(&local->begun, __ATOMIC_ACQUIRE);
        if (address / 8 == at && begun > (last ? last->begun : 0) && address < end &&
            address + __atomic_load_n(&local->size, __ATOMIC_ACQUIRE) > start)
            last = local;
    }
    return last;
}

/* The one whose memory the word is; null if it is not known, or part of its memory is that of
 * another one by now: then its life is over. */
static ser_local *find(const ser_thread *owner, uintptr_t word)
{
    ser_local *local = last_between(owner, word, word + 8);
    if (local && last_between(owner, local->address, local->address + local->size) != local)
        return 0;
    return local;
}

/* A signal handler that jumped out of a change must not make others wait for ever. */
static ser_local *find_meanwhile(const ser_thread *owner, uintptr_t word)
{
    for (unsigned tries = 0; tries < PATIENCE; tries++) {
        uint32_t version = __atomic_load_n(&owner->locals_version, __ATOMIC_ACQUIRE);
        ser_local *local = version % 2 ? 0 : find(owner, word);
        if (version % 2 == 0 &&
            version == __atomic_load_n(&owner->locals_version, __ATOMIC_RELAXED))
            return local;
        ser_relax_or_sleep(tries);
    }
    return 0;
}

/* --- a life begins ------------------------------------------------------------ */

static bool has_table(ser_thread *me)
{
    if (!me->locals && !me->keeping)
        me->locals = ser_memory(SLOTS * sizeof *me->locals);
    return me->locals;
}

/* A free entry: that of a living variable, above the end of the stack, is not reused. */
static ser_local *place_for(ser_thread *me, const ser_local *local, uintptr_t stack)
{
    if (local->size == 0 || local->size > LARGEST || !has_table(me))
        return 0;
    ser_local *slot = slot_of(me, local->address);
    bool is_taken = slot->begun > 0 && slot->address >= stack && slot->address != local->address;
    return is_taken ? 0 : slot;
}

/* What is stored with release order after this is not seen before the version is odd. */
static void begin_change(ser_thread *me)
{
    __atomic_store_n(&me->locals_version, me->locals_version | 1, __ATOMIC_RELAXED);
}

static void end_change(ser_thread *me)
{
    __atomic_store_n(&me->locals_version, me->locals_version + 1, __ATOMIC_RELEASE);
}

static void hold(ser_thread *me, ser_local *slot, const ser_local *local)
{
    begin_change(me);
    __atomic_store_n(&slot->address, local->address, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->size, local->size, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->begun, ++me->locals_begun, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->site, local->site, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->recorded, local->recorded, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->since, 0, __ATOMIC_RELEASE);
    if (me->locals_largest < local->size)
        me->locals_largest = local->size;
    end_change(me);
}

/* Its memory belongs to a variable that is not in the table. */
static void forget(ser_thread *me, const ser_local *local)
{
    begin_change(me);
    for (ser_local *old; (old = last_between(me, local->address, local->address + local->size));)
        __atomic_store_n(&old->begun, 0, __ATOMIC_RELEASE);
    end_change(me);
}

void ser_local_begin(ser_thread *me, uintptr_t address, size_t size, uint32_t site, uintptr_t stack)
{
    ser_local local = {.address = address, .size = (uint32_t)size, .site = site};
    ser_local *slot = place_for(me, &local, stack);
    local.recorded = me->keeping || !slot;
    if (slot)
        hold(me, slot, &local);
    else if (me->locals && size > 0)
        forget(me, &local);
    if (!local.recorded) {
        ser_shadow_own(me, address, size);
    } else {
        ser_shadow_renew(address, (size + 7) / 8 * 8); /* the rest is unused */
        record_at_once(me, &local);
    }
}

static bool is_unrecorded(const ser_thread *me, const ser_word *word)
{
    static const uint64_t flags = SER_WORD_ELIDED | SER_WORD_OUTSIDE | SER_WORD_UNRECORDED;
    return (word->write & SER_WORD_FLAGS) == flags && ser_stamp_is_of(word->write, me->stamp) &&
           ser_stamp_is_of(word->read, me->stamp);
}

bool ser_local_is_held(ser_thread *me, uintptr_t address, size_t size, uint32_t site,
                       const ser_word *words)
{
    if (!me->locals)
        return false;
    ser_local *slot = slot_of(me, address);
    if (slot->address != address || slot->size != size || slot->site != site || slot->recorded ||
        slot->begun == 0)
        return false;
    const ser_word *end = words + (address % 8 + size + 7) / 8;
    for (; words < end; words++)
        if (!is_unrecorded(me, words))
            return false;
    __atomic_store_n(&slot->begun, ++me->locals_begun, __ATOMIC_RELAXED);
    return true;
}

/* --- another thread accesses it ----------------------------------------------------- */

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

/* The next access is later than the record, whichever thread wrote it. */
static void record_local(ser_thread *me, const ser_thread *owner, ser_local *local)
{
    if (local->recorded) {
        if (world->parallel && me->clock <= local->since)
            me->clock = local->since + 1;
        return;
    }
    if (world->parallel)
        ser_clocks_rise_above_all(me);
    ser_put_of(me, owner, local->address, local->size, tag_of(local));
    local->since = me->clock;
    local->recorded = true;
}

bool ser_local_record(ser_thread *me, uintptr_t word)
{
    ser_thread *owner = owner_of(me, word);
    if (!owner || !owner->locals)
        return false;
    for (unsigned tries = 0; __atomic_exchange_n(&owner->locals_lock, 1, __ATOMIC_ACQUIRE); tries++)
        ser_relax_or_sleep(tries);
    ser_local *local = find_meanwhile(owner, word);
    if (local)
        record_local(me, owner, local);
    __atomic_store_n(&owner->locals_lock, 0, __ATOMIC_RELEASE);
    return local;
}
