/* SPDX-License-Identifier: MIT */
#include "runtime/elide/frozen.h"

#include <link.h>

#include "runtime/core/records/lines.h"
#include "runtime/elide/happens_before.h"
#include "runtime/elide/owners.h"

static ser_runtime_world *const world = &ser_the_world;

enum { LINE = 1 << SER_OWNED_BITS, PAGE = 4096, PAGE_LINES = PAGE / LINE };

/* Each line has to be marked: of larger mappings most is never read. */
static const size_t most = (size_t)32 << 20;

static void freeze_lines(uint16_t *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lines[i] = (lines[i] & ~(unsigned)SER_LINE_OWNER) | SER_LINE_FROZEN;
}

static void unfreeze_lines(uint16_t *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((lines[i] & SER_LINE_OWNER) == SER_LINE_FROZEN)
            lines[i] &= ~(unsigned)SER_LINE_OWNER;
}

/* Of the lines that lie in the memory as a whole, those of a leaf at a time. */
static void change_lines(uintptr_t address, size_t size, void (*change)(uint16_t *, size_t))
{
    static const uintptr_t leaf = UINT64_C(1) << SER_LEAF_BITS;
    uintptr_t end = (address + size) / LINE * LINE;
    address = (address + LINE - 1) / LINE * LINE;
    while (size <= most && address < end) {
        uintptr_t next = (address / leaf + 1) * leaf < end ? (address / leaf + 1) * leaf : end;
        uint16_t *lines = ser_owner_at(address);
        if (lines)
            change(lines, (next - address) / LINE);
        address = next;
    }
}

void ser_freeze(uintptr_t address, size_t size)
{
    if (size > 0 && size <= most && ser_word_made(address) && ser_word_made(address + size - 1))
        change_lines(address, size, freeze_lines); /* of two leaves at most */
}

void ser_unfreeze(uintptr_t address, size_t size)
{
    change_lines(address, size, unfreeze_lines);
}

/* --- thawing -------------------------------------------------------------- */

/* Until all threads have left the accesses in which they are alone: the latest of their clocks. */
static uint64_t await_all(const ser_thread *me)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    uint64_t latest = 0;
    ser_clocks_barrier();
    for (uint32_t i = 0; i < count; i++) {
        const ser_thread *other = world->threads[i];
        if (other != me)
            ser_owners_await(other);
        uint64_t clock = __atomic_load_n(&other->clock, __ATOMIC_ACQUIRE);
        latest = clock > latest ? clock : latest;
    }
    return latest;
}

/* Has any thread elided anything so far? Not as long as everything is recorded. */
static bool some_elided(void)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        const ser_thread *thread = world->threads[i];
        uint64_t recorded = __atomic_load_n(&thread->recorded, __ATOMIC_ACQUIRE);
        if (ser_stamp_operation(__atomic_load_n(&thread->stamp, __ATOMIC_RELAXED)) != recorded)
            return true;
    }
    return false;
}

/* All threads count as readers of the word. It does not begin a new life, so that recorded reads
 * of it still conflict with what comes; it need not, since nothing was written. */
static void thaw_word(ser_word *word, uint64_t stamp)
{
    bool recorded = !(word->write & SER_WORD_ELIDED) && ser_stamp_operation(word->read) > 0;
    word->read = stamp;
    word->write |= SER_WORD_ELIDED | SER_WORD_OUTSIDE | (recorded ? SER_WORD_KEPT : 0);
}

/* Others may have the line locked, to record what they read. */
static void thaw_line(ser_thread *me, uintptr_t address, uint64_t clock, bool elided)
{
    ser_line *line = ser_line_of(address);
    uint64_t last = ser_line_hold(line), latest = last > clock ? last : clock;
    ser_word *words = ser_word_at(address);
    for (int i = 0; i < LINE / 8 && elided; i++)
        thaw_word(&words[i], ser_stamp_of_all(latest));
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
    bool elided = some_elided();
    for (int i = 0; i < PAGE_LINES; i++) {
        if (!(moved >> i & 1))
            continue;
        thaw_line(me, page + (uintptr_t)i * LINE, clock, elided);
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
