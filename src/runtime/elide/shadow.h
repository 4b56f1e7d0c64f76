/* SPDX-License-Identifier: MIT */
/*
 * shadow.h - two stamps for every word of eight bytes that the program accesses, of its last write
 * and its last read (elision.h says what for), and an owner for every line (owners.h).
 *
 * Memory of the program is divided into parts of 64 MiB; each has a leaf, which comes with the
 * first access there. The system gives it pages as they are touched.
 */
#ifndef SER_RUNTIME_ELIDE_SHADOW_H
#define SER_RUNTIME_ELIDE_SHADOW_H

#include "runtime/core/core.h"

/* Flags in the stamp of the last write. In that of the last read there stands which bytes the
 * last write has, if it is in the trace (elision.c). A stamp of 0: there was none. */
enum {
    SER_WORD_ELIDED = 1,     /* accesses were elided */
    SER_WORD_KEPT = 2,       /* all accesses are recorded */
    SER_WORD_OUTSIDE = 4,    /* it was accessed outside critical sections */
    SER_WORD_UNRECORDED = 8, /* it is of a local variable whose beginning is not recorded yet */
    SER_WORD_FLAGS = 15,
};

typedef struct ser_word {
    uint64_t write, read;
} ser_word;

enum {
    SER_ADDRESS_BITS = 47,
    SER_LEAF_BITS = 26, /* memory that one leaf is for */
    SER_LEAVES = 1 << (SER_ADDRESS_BITS - SER_LEAF_BITS),
    SER_LEAF_WORDS = 1 << (SER_LEAF_BITS - 3), /* behind them the owners of lines (owners.h) */
    SER_OWNED_BITS = 6,                        /* memory that has one owner: a cache line */
};

extern ser_word *ser_leaves[SER_LEAVES];

/* The leaf of an address; null if there is no shadow for it yet, or never. */
static inline ser_word *ser_leaf_at(uintptr_t address)
{
    return address >> SER_ADDRESS_BITS ? 0 : ser_leaves[address >> SER_LEAF_BITS];
}

/* The same where it must be quick, just before an access: an address that no program has gets
 * some other leaf, and the access is a fault. */
static inline ser_word *ser_leaf_before_access(uintptr_t address)
{
    return ser_leaves[(address >> SER_LEAF_BITS) % SER_LEAVES];
}

static inline ser_word *ser_word_in(ser_word *leaf, uintptr_t address)
{
    return &leaf[(address & ((UINT64_C(1) << SER_LEAF_BITS) - 1)) / 8];
}

/* The owner of the line. */
static inline uint16_t *ser_owner_in(ser_word *leaf, uintptr_t address)
{
    uintptr_t inside = address & ((UINT64_C(1) << SER_LEAF_BITS) - 1);
    return (uint16_t *)(leaf + SER_LEAF_WORDS) + (inside >> SER_OWNED_BITS);
}

/* The word of an address; null as above. */
static inline ser_word *ser_word_at(uintptr_t address)
{
    ser_word *leaf = ser_leaf_at(address);
    return leaf ? ser_word_in(leaf, address) : 0;
}

ser_word *ser_word_make(uintptr_t address);

/* The same, made if need be; null if memory is out, or the address is none of a program. */
static inline ser_word *ser_word_made(uintptr_t address)
{
    ser_word *word = ser_word_at(address);
    return ser_likely(word) || address >> SER_ADDRESS_BITS ? word : ser_word_make(address);
}

/* Was it accessed since its memory was allocated, as far as stamps are kept? (An access that
 * races with the free is a bug of the program.) */
static inline bool ser_word_is_used(const ser_word *word)
{
    return word && (__atomic_load_n(&word->write, __ATOMIC_RELAXED) |
                    __atomic_load_n(&word->read, __ATOMIC_RELAXED)) != 0;
}

/* The owner of the line of an address; null as above. */
static inline uint16_t *ser_owner_at(uintptr_t address)
{
    ser_word *leaf = ser_leaf_at(address);
    return leaf ? ser_owner_in(leaf, address) : 0;
}

static inline bool ser_stamp_is_of(uint64_t stamp, uint64_t me)
{
    return ((stamp ^ me) & (SER_STAMP_ONE - 1) & ~(uint64_t)SER_WORD_FLAGS) == 0;
}

/* New memory: stamps are cleared, except those of words that it shares with a neighbour. */
void ser_shadow_renew(uintptr_t address, size_t size);

/* New memory of a local variable whose beginning is not recorded yet (locals.h): as after an
 * elided write of the thread. */
void ser_shadow_own(ser_thread *me, uintptr_t address, size_t size);

#endif
