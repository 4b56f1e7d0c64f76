/* SPDX-License-Identifier: MIT */
#include "runtime/elide/shadow.h"

#include <sys/mman.h>

#include "runtime/elide/owners.h"

static ser_runtime_world *const world = &ser_the_world;

enum {
    LEAF_SIZE = SER_LEAF_WORDS * sizeof(ser_word) + (2 << (SER_LEAF_BITS - SER_OWNED_BITS)),
    LARGE = 1 << 16, /* shadow that is given back to the system rather than cleared */
    PAGE = 4096,
};

ser_word *ser_leaves[SER_LEAVES];

ser_word *ser_word_make(uintptr_t address)
{
    ser_word **leaf = &ser_leaves[address >> SER_LEAF_BITS], *none = 0;
    ser_word *memory = ser_map(LEAF_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    if (!memory)
        return 0;
    if (!__atomic_compare_exchange_n(leaf, &none, memory, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        ser_sys(SYS_munmap, (long)memory, LEAF_SIZE, 0, 0, 0, 0);
    return ser_word_at(address);
}

static void clear(void *memory, size_t size)
{
    uintptr_t start = (uintptr_t)memory, end = start + size;
    uintptr_t first = (start + PAGE - 1) / PAGE * PAGE, last = end / PAGE * PAGE;
    if (size < LARGE) {
        __builtin_memset(memory, 0, size);
        return;
    }
    __builtin_memset(memory, 0, first - start);
    ser_sys(SYS_madvise, (long)first, (long)(last - first), MADV_DONTNEED, 0, 0, 0);
    __builtin_memset((void *)last, 0, end - last);
}

/* Lines that lie in new memory as a whole have no owner. How often they were taken is kept:
 * memory that threads pass to each other is often reused for the same. */
static void clear_owners(uintptr_t address, uintptr_t end)
{
    enum { LINE = 1 << SER_OWNED_BITS };
    uintptr_t first = (address + LINE - 1) / LINE * LINE;
    if (first + LINE > end)
        return;
    uint16_t *lines = ser_owner_at(first);
    size_t count = (end - first) / LINE;
    if (count * sizeof *lines >= LARGE)
        clear(lines, count * sizeof *lines);
    else
        for (size_t i = 0; i < count; i++)
            lines[i] &= ~(unsigned)SER_LINE_OWNER;
}

void ser_shadow_renew(uintptr_t address, size_t size)
{
    static const uintptr_t leaf = UINT64_C(1) << SER_LEAF_BITS;
    uintptr_t end = (address + size) / 8 * 8;
    address = (address + 7) / 8 * 8;
    while (address < end && !(address >> SER_ADDRESS_BITS)) {
        uintptr_t next = (address / leaf + 1) * leaf;
        next = next < end ? next : end;
        ser_word *word = ser_word_at(address);
        if (word)
            clear(word, (next - address) / 8 * sizeof *word);
        if (word && world->parallel)
            clear_owners(address, next);
        address = next;
    }
}

void ser_shadow_own(ser_thread *me, uintptr_t address, size_t size)
{
    const ser_word own = {
        .write = me->stamp | SER_WORD_ELIDED | SER_WORD_OUTSIDE | SER_WORD_UNRECORDED,
        .read = me->stamp,
    };
    uintptr_t at = address / 8, last = (address + size - 1) / 8;
    for (ser_word *word = ser_word_made(at * 8); at <= last; at++, word++) {
        if (at % SER_LEAF_WORDS == 0)
            word = ser_word_made(at * 8);
        if (!word)
            return;
        *word = own;
    }
}
