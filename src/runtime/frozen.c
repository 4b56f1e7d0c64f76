/* SPDX-License-Identifier: MIT */
#include "runtime/frozen.h"

#include <link.h>

#include "runtime/knowledge.h"
#include "runtime/lines.h"
#include "runtime/owners.h"

static ser_world *const world = &ser_the_world;

enum { LINE = 1 << SER_OWNED_BITS, PAGE = 4096, PAGE_LINES = PAGE / LINE };

/* Each line has to be marked: of larger mappings most is never read. */
static const size_t most = (size_t)256 << 20;

static bool is_frozen(uint16_t line)
{
    return (line & SER_LINE_OWNER) == SER_LINE_FROZEN;
}

void ser_freeze(uintptr_t address, size_t size)
{
    if (size > most)
        return;
    for (uintptr_t at = (address + LINE - 1) / LINE * LINE; at + LINE <= address + size;
         at += LINE) {
        uint16_t *line = ser_word_made(at) ? ser_owner_at(at) : 0;
        if (line)
            *line = (*line & ~(unsigned)SER_LINE_OWNER) | SER_LINE_FROZEN;
    }
}

void ser_unfreeze(uintptr_t address, size_t size)
{
    if (size > most)
        return;
    for (uintptr_t at = address / LINE * LINE; at < address + size; at += LINE) {
        uint16_t *line = ser_owner_at(at);
        if (line && is_frozen(*line))
            *line &= ~(unsigned)SER_LINE_OWNER;
    }
}

/* --- thawing -------------------------------------------------------------- */

/* Until all threads have left the accesses in which they are alone: the latest of their clocks. */
static uint64_t await_all(const ser_thread *me)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    uint64_t latest = 0;
    ser_lines_barrier();
    for (uint32_t i = 0; i < count; i++) {
        const ser_thread *other = world->threads[i];
        if (other != me)
            ser_owners_await(other);
        uint64_t clock = __atomic_load_n(&other->clock, __ATOMIC_ACQUIRE);
        latest = clock > latest ? clock : latest;
    }
    return latest;
}

/* Everybody has read every word of the line. Others may have it locked, to record what they read.
 */
static void thaw_line(ser_thread *me, uintptr_t address, uint64_t clock)
{
    ser_line *line = ser_line_of(address);
    uint64_t last = ser_line_hold(line), latest = last > clock ? last : clock;
    ser_word *words = ser_word_at(address);
    for (int i = 0; i < LINE / 8; i++) {
        words[i].read = ser_stamp_of_all(latest);
        words[i].write |= SER_WORD_HIDDEN | SER_WORD_OUTSIDE;
    }
    if (me->clock < latest)
        me->clock = latest;
    ser_line_let_go(line, latest);
}

void ser_thaw(ser_thread *me, uintptr_t address)
{
    uintptr_t page = address & ~(uintptr_t)(PAGE - 1);
    uint16_t *lines = ser_owner_at(page);
    uint64_t moved = 0;
    for (int i = 0; i < PAGE_LINES; i++)
        moved |= (uint64_t)ser_owners_begin_move(me, &lines[i], SER_LINE_FROZEN) << i;
    if (!moved)
        return;
    uint64_t clock = await_all(me);
    for (int i = 0; i < PAGE_LINES; i++) {
        if (!(moved >> i & 1))
            continue;
        thaw_line(me, page + (uintptr_t)i * LINE, clock);
        ser_owners_end_move(me, &lines[i], SER_LINE_COMMON);
    }
}

/* --- what is constant from the start --------------------------------------- */

static int freeze_segments(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
        uintptr_t start = module->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO) /* which is protected by whole pages */
            end &= ~(uintptr_t)(PAGE - 1);
        else if (segment->p_type != PT_LOAD || segment->p_flags != PF_R)
            continue;
        if (start < end)
            ser_freeze(start, end - start);
    }
    return 0;
}

void ser_freeze_constants(void)
{
    dl_iterate_phdr(freeze_segments, 0);
}
