/* SPDX-License-Identifier: MIT */
#include "runtime/elide/owners.h"

#include "runtime/core/records/lines.h"
#include "runtime/elide/frozen.h"
#include "runtime/elide/happens_before.h"

static ser_runtime_world *const world = &ser_the_world;

enum {
    LINE = 1 << SER_OWNED_BITS,
    PAGE_LINES = 64,
    PATIENCE = 1 << 19, /* looks; a second or more */
    MOST_TAKEN = 6,
};

static bool change(uint16_t *line, uint16_t from, uint16_t to)
{
    return __atomic_compare_exchange_n(line, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The owner may be ALONE in one access after another: frequent looks see a moment between two. A
 * signal handler that interrupted it there may take long; then the order of that one access is
 * not certain, but no thread hangs. */
void ser_owners_await(const ser_thread *owner)
{
    for (unsigned i = 0; i < PATIENCE; i++) {
        if (__atomic_load_n(&owner->inside, __ATOMIC_ACQUIRE) != SER_ALONE)
            return;
        ser_relax_or_sleep(i);
    }
}

static uint16_t owner_of(uint16_t line)
{
    return line & SER_LINE_OWNER;
}

/* As many lines as have been taken from other threads in the page already, or one: a power of two.
 */
static uintptr_t lines_to_take(uintptr_t address)
{
    const uint16_t *page = ser_owner_at(address & ~(uintptr_t)(PAGE_LINES * LINE - 1));
    uintptr_t taken = 0, width = 1;
    for (int i = 0; i < PAGE_LINES; i++)
        taken += __atomic_load_n(&page[i], __ATOMIC_RELAXED) >= SER_LINE_TAKEN;
    while (2 * width <= taken)
        width *= 2;
    return width;
}

static uint16_t moving_to(const ser_thread *me)
{
    return (uint16_t)(SER_LINE_OWNERS + 1 + me->owner_tag);
}

bool ser_owners_begin_move(const ser_thread *me, uint16_t *line, uint16_t owner)
{
    uint16_t seen = __atomic_load_n(line, __ATOMIC_RELAXED), taken = seen & ~SER_LINE_OWNER;
    return owner_of(seen) == owner && change(line, seen, taken | moving_to(me));
}

void ser_owners_end_move(const ser_thread *me, uint16_t *line, uint16_t owner)
{
    uint16_t seen = __atomic_load_n(line, __ATOMIC_RELAXED), taken = seen & ~SER_LINE_OWNER;
    if (owner_of(seen) == moving_to(me))
        change(line, seen, taken | owner);
}

/* Lines that threads share, or pass on again and again, have no owner any more: they are common. */
static uint16_t owned_by(const ser_thread *me, uint16_t taken)
{
    bool shared = taken >= MOST_TAKEN * SER_LINE_TAKEN || !me->owner_tag;
    return taken | (shared ? SER_LINE_COMMON : me->owner_tag);
}

static void end_move(ser_thread *me, uint16_t *line, uintptr_t address, uint64_t clock)
{
    uint16_t seen = __atomic_load_n(line, __ATOMIC_RELAXED), taken = seen & ~SER_LINE_OWNER;
    uint64_t latest = ser_line_raise(address, clock);
    if (me->clock < latest)
        me->clock = latest;
    if (owner_of(seen) == moving_to(me)) /* it is not new meanwhile */
        change(line, seen, owned_by(me, taken + SER_LINE_TAKEN));
}

/* A waiting thread elides nothing, and passes a barrier before it does again: when it releases
 * the lock under which its wait ended. From then on it sees which lines are moving. */
static bool is_asleep(const ser_thread *owner)
{
    return __atomic_load_n(&owner->state, __ATOMIC_SEQ_CST) == SER_WAITS;
}

/* The line of the address is moving already, and those around it that the owner has come along. */
static void take_lines(ser_thread *me, uintptr_t address, uint16_t tag)
{
    uintptr_t width = lines_to_take(address), start = address & ~(width * LINE - 1);
    uint16_t *lines = ser_owner_at(start);
    uint64_t moved = UINT64_C(1) << (address - start) / LINE;
    const ser_thread *owner = world->threads[tag - 1];
    for (uintptr_t i = 0; i < width; i++)
        moved |= (uint64_t)ser_owners_begin_move(me, &lines[i], tag) << i;
    if (!is_asleep(owner)) {
        ser_clocks_barrier();
        ser_owners_await(owner);
    }
    uint64_t clock = __atomic_load_n(&owner->clock, __ATOMIC_ACQUIRE);
    for (uintptr_t i = 0; i < width; i++)
        if (moved >> i & 1)
            end_move(me, &lines[i], start + i * LINE, clock);
}

/* Threads without a tag have one sign in common for lines that move to them. So only one of them
 * moves lines at a time: a line may be new, get another owner and be taken from it by the next one,
 * while the first still waits for the former owner and thinks that the move is its own. */
static void take_from(ser_thread *me, uint16_t *line, uintptr_t address, uint16_t owner)
{
    static ser_lock untagged;
    if (!me->owner_tag)
        ser_lock_take(&untagged);
    if (owner == SER_LINE_FROZEN)
        ser_thaw(me, address);
    else if (ser_owners_begin_move(me, line, owner))
        take_lines(me, address, owner);
    if (!me->owner_tag)
        ser_lock_give(&untagged);
}

static bool is_own(const ser_thread *me, uint64_t stamp)
{
    return ser_stamp_operation(stamp) == 0 || ser_stamp_is_of(stamp, me->stamp);
}

/* Once it is taken, it is common again. */
void ser_owners_settle(const ser_thread *me, uintptr_t address)
{
    uint16_t *line = ser_owner_at(address), seen = __atomic_load_n(line, __ATOMIC_RELAXED);
    const ser_word *words = ser_word_at(address & ~(uintptr_t)(LINE - 1));
    bool own = owner_of(seen) == SER_LINE_COMMON && me->owner_tag;
    for (int i = 0; i < LINE / 8 && own; i++)
        own = !(words[i].write & SER_WORD_KEPT) && is_own(me, words[i].write) &&
              is_own(me, words[i].read);
    if (own)
        change(line, seen, (MOST_TAKEN - 1) * SER_LINE_TAKEN | me->owner_tag);
}

static void open_line(ser_thread *me, uintptr_t address, bool writes)
{
    uint16_t *line = ser_word_made(address) ? ser_owner_at(address) : 0;
    for (unsigned tries = 0; line && !ser_line_is_open(me, address, writes); tries++) {
        uint16_t seen = __atomic_load_n(line, __ATOMIC_ACQUIRE), owner = owner_of(seen);
        if (owner == SER_LINE_NOBODYS)
            change(line, seen, owned_by(me, seen));
        else if (owner > SER_LINE_OWNERS && owner != SER_LINE_FROZEN)
            ser_relax_or_sleep(tries);
        else
            take_from(me, line, address, owner);
    }
}

static bool is_open(const ser_thread *me, uintptr_t start, uintptr_t end, bool writes)
{
    bool open = true;
    for (uintptr_t at = start; at < end; at += LINE)
        open = open && ser_line_is_open(me, at, writes);
    return open;
}

void ser_owners_lock(ser_thread *me, const void *address, size_t size, bool writes)
{
    uintptr_t start = (uintptr_t)address & ~(uintptr_t)(LINE - 1), end = (uintptr_t)address + size;
    for (;;) {
        for (uintptr_t at = start; at < end; at += LINE)
            open_line(me, at, writes);
        ser_lines_lock(me, address, size);
        if (is_open(me, start, end, writes) || !ser_owner_at(start) || !ser_owner_at(end - 1))
            return;
        ser_lines_unlock(me, address, size);
    }
}
