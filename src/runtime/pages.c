/* SPDX-License-Identifier: MIT */
#include "runtime/pages.h"

#include "runtime/lines.h"

static ser_world *const world = &ser_the_world;

enum { PAGE = 1 << SER_PAGE_BITS, LINE = 64, PATIENCE = 2000 };

static bool change(uint16_t *page, uint16_t from, uint16_t to)
{
    return __atomic_compare_exchange_n(page, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
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

static void raise_lines(ser_thread *me, uintptr_t start, uint64_t clock)
{
    for (uintptr_t at = start; at < start + PAGE; at += LINE) {
        ser_line *line = ser_line_of(at);
        uint64_t word = __atomic_exchange_n(&line->word, 1, __ATOMIC_ACQUIRE);
        uint64_t last = word != 1 ? word >> 1 : ser_line_lock_slowly(line);
        __atomic_store_n(&line->word, (last > clock ? last : clock) << 1, __ATOMIC_RELEASE);
    }
    if (me->clock < clock)
        me->clock = clock;
}

static void make_common(ser_thread *me, uint16_t *page, const ser_thread *owner, uintptr_t start)
{
    ser_lines_barrier();
    await_owner(owner);
    raise_lines(me, start, __atomic_load_n(&owner->clock, __ATOMIC_ACQUIRE));
    change(page, SER_PAGE_MOVING, SER_PAGE_COMMON); /* if it has not been renewed meanwhile */
}

static void open_page(ser_thread *me, uintptr_t start)
{
    uint16_t *page = ser_word_made(start) ? ser_page_at(start) : 0;
    uint16_t first = me->page_tag ? me->page_tag : SER_PAGE_COMMON;
    while (page && !ser_page_is_open(me, start)) {
        uint16_t owner = __atomic_load_n(page, __ATOMIC_ACQUIRE);
        if (owner == SER_PAGE_NOBODY)
            change(page, SER_PAGE_NOBODY, first);
        else if (owner == SER_PAGE_MOVING)
            ser_sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else if (owner != SER_PAGE_COMMON && change(page, owner, SER_PAGE_MOVING))
            make_common(me, page, world->threads[owner - 1], start);
    }
}

void ser_pages_open(ser_thread *me, uintptr_t address, size_t size)
{
    uintptr_t last = (address + size - 1) & ~(uintptr_t)(PAGE - 1);
    for (uintptr_t at = address & ~(uintptr_t)(PAGE - 1); at <= last; at += PAGE)
        if (!ser_page_is_open(me, at))
            open_page(me, at);
}

void ser_pages_renew(uintptr_t address, size_t size)
{
    uintptr_t end = (address + size) & ~(uintptr_t)(PAGE - 1);
    for (uintptr_t at = (address + PAGE - 1) & ~(uintptr_t)(PAGE - 1); at < end; at += PAGE) {
        uint16_t *page = ser_page_at(at);
        if (page)
            __atomic_store_n(page, SER_PAGE_NOBODY, __ATOMIC_RELAXED);
    }
}
