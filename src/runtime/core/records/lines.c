/* SPDX-License-Identifier: MIT */
#include "runtime/core/records/lines.h"

static ser_runtime_world *const world = &ser_the_world;

enum { LINE = 64 };

ser_line ser_lines[1 << SER_LINE_BITS];

uint64_t ser_line_lock_slowly(ser_line *line)
{
    uint64_t word;
    unsigned tries = 0;
    do
        while (__atomic_load_n(&line->word, __ATOMIC_RELAXED) == 1)
            ser_relax_or_sleep(tries++);
    while ((word = __atomic_exchange_n(&line->word, 1, __ATOMIC_ACQUIRE)) == 1);
    return word >> 1;
}

void ser_lines_lock(ser_thread *me, const void *address, size_t size)
{
    ser_line *first = ser_line_of((uintptr_t)address);
    ser_line *last = ser_line_of((uintptr_t)address + size - 1);
    ser_line_lock(me, first <= last ? first : last); /* in one order: no deadlock */
    if (first != last)
        ser_line_lock(me, first <= last ? last : first);
    ser_lines_note(me, (uintptr_t)address, size);
}

void ser_lines_unlock(ser_thread *me, const void *address, size_t size)
{
    me->locked_size = 0;
    ser_line *first = ser_line_of((uintptr_t)address);
    ser_line *last = ser_line_of((uintptr_t)address + size - 1);
    ser_line_unlock(me, first);
    if (first != last)
        ser_line_unlock(me, last);
}

uint64_t ser_line_raise(uintptr_t address, uint64_t clock)
{
    ser_line *line = ser_line_of(address);
    uint64_t last = ser_line_hold(line), latest = last > clock ? last : clock;
    ser_line_let_go(line, latest);
    return latest;
}

/* Of more lines than these it is less work to look at all threads. */
static bool has_many_lines(size_t size)
{
    enum { MOST_LINES = 64 };
    return size / LINE > MOST_LINES;
}

static uint64_t clock_of(uintptr_t address)
{
    const ser_line *line = ser_line_of(address);
    uint64_t word = __atomic_load_n(&line->word, __ATOMIC_ACQUIRE);
    for (unsigned tries = 0; word == 1; tries++) {
        ser_relax_or_sleep(tries);
        word = __atomic_load_n(&line->word, __ATOMIC_ACQUIRE);
    }
    return word >> 1;
}

void ser_lines_retire(const ser_thread *me, uintptr_t address, size_t size)
{
    uint64_t last = __atomic_load_n(&world->retired, __ATOMIC_RELAXED);
    if (!has_many_lines(size)) {
        for (uintptr_t at = address / LINE * LINE; at < address + size; at += LINE)
            ser_line_raise(at, me->clock);
        return;
    }
    while (last < me->clock &&
           !__atomic_compare_exchange_n(&world->retired, &last, me->clock, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        continue;
}

void ser_lines_rise(ser_thread *me, uintptr_t address, size_t size)
{
    ser_clocks_rise_to(me, __atomic_load_n(&world->retired, __ATOMIC_ACQUIRE));
    if (has_many_lines(size))
        ser_clocks_rise_above_all(me);
    else
        for (uintptr_t at = address / LINE * LINE; at < address + size; at += LINE)
            ser_clocks_rise_to(me, clock_of(at));
}
