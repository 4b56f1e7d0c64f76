/* SPDX-License-Identifier: MIT */
#include "runtime/owners.h"

#include "runtime/lines.h"

static ser_world *const world = &ser_the_world;

enum { LINE = 1 << SER_OWNED_BITS, PAGE_LINES = 64, PATIENCE = 2000 };

static bool change(uint16_t *line, uint16_t from, uint16_t to)
{
    return __atomic_compare_exchange_n(line, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* A signal handler that interrupted it there may take long; then the order of that one access
 * is not certain, but nobody hangs. */
static void await_owner(const ser_thread *owner)
{
    static uint32_t never;
    for (int i = 0; i < PATIENCE; i++) {
        if (__atomic_load_n(&owner->inside, __ATOMIC_ACQUIRE) != SER_ALONE)
            return;
        ser_deadline soon = ser_deadline_in(i < PATIENCE / 2 ? 0 : 1000);
        if (i < PATIENCE / 2)
            ser_sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else
            ser_futex_wait(&never, 0, &soon, false);
    }
}

static void raise_line(uintptr_t address, uint64_t clock)
{
    ser_line *line = ser_line_of(address);
    uint64_t word = __atomic_exchange_n(&line->word, 1, __ATOMIC_ACQUIRE);
    uint64_t last = word != 1 ? word >> 1 : ser_line_lock_slowly(line);
    __atomic_store_n(&line->word, (last > clock ? last : clock) << 1, __ATOMIC_RELEASE);
}

/* As many lines as are common in the page already, or one: a power of two of them. */
static uintptr_t lines_to_take(uintptr_t address)
{
    const uint16_t *page = ser_owner_at(address & ~(uintptr_t)(PAGE_LINES * LINE - 1));
    uintptr_t common = 0, width = 1;
    for (int i = 0; i < PAGE_LINES; i++)
        common += __atomic_load_n(&page[i], __ATOMIC_RELAXED) == SER_LINE_COMMON;
    while (2 * width <= common)
        width *= 2;
    return width;
}

/* The line of the address is moving already, and those around it that the owner has come along. */
static void make_common(ser_thread *me, uintptr_t address, uint16_t tag)
{
    uintptr_t width = lines_to_take(address), start = address & ~(width * LINE - 1);
    uint16_t *lines = ser_owner_at(start);
    uint64_t moved = UINT64_C(1) << (address - start) / LINE;
    const ser_thread *owner = world->threads[tag - 1];
    for (uintptr_t i = 0; i < width; i++)
        if (change(&lines[i], tag, SER_LINE_MOVING))
            moved |= UINT64_C(1) << i;
    ser_lines_barrier();
    await_owner(owner);
    uint64_t clock = __atomic_load_n(&owner->clock, __ATOMIC_ACQUIRE);
    for (uintptr_t i = 0; i < width; i++) {
        if (!(moved >> i & 1))
            continue;
        raise_line(start + i * LINE, clock);
        change(&lines[i], SER_LINE_MOVING, SER_LINE_COMMON); /* if it is not new meanwhile */
    }
    if (me->clock < clock)
        me->clock = clock;
}

static void open_line(ser_thread *me, uintptr_t address)
{
    uint16_t *line = ser_word_made(address) ? ser_owner_at(address) : 0;
    uint16_t first = me->owner_tag ? me->owner_tag : SER_LINE_COMMON;
    while (line && !ser_line_is_open(me, address)) {
        uint16_t owner = __atomic_load_n(line, __ATOMIC_ACQUIRE);
        if (owner == SER_LINE_NOBODYS)
            change(line, SER_LINE_NOBODYS, first);
        else if (owner == SER_LINE_MOVING)
            ser_sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else if (owner != SER_LINE_COMMON && change(line, owner, SER_LINE_MOVING))
            make_common(me, address, owner);
    }
}

void ser_owners_open(ser_thread *me, uintptr_t address, size_t size)
{
    uintptr_t last = (address + size - 1) & ~(uintptr_t)(LINE - 1);
    for (uintptr_t at = address & ~(uintptr_t)(LINE - 1); at <= last; at += LINE)
        if (!ser_line_is_open(me, at))
            open_line(me, at);
}
