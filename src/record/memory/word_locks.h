/* SPDX-License-Identifier: MIT */
/*
 * word_locks.h - inside of survey.h: variables that are used as locks, by spinning or a futex.
 *
 * Zero is free. Who changes such a word from zero in one atomic step, which tells whether it was
 * zero (SER_ABI_SITE_TAKES), has it, and alone sets it back to zero. Others may only look
 * meanwhile, or leave a mark in one atomic step (two: somebody sleeps), which is not below what was
 * there, and then do nothing but wait until they have it. As a variable it would be what threads
 * share, and its order that of the run; as a lock it orders nothing but critical sections. That is
 * known only after the whole run: the survey finds these words, and the second pass makes events of
 * locks of them.
 *
 * A word is known by its object and the offset in it. Memory O(words that are updated atomically).
 * Expected O(1) an access of one of these, and less for others. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_WORD_LOCKS_H
#define SER_RECORD_MEMORY_WORD_LOCKS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "record/memory/objects.h"
#include "trace/event.h"

typedef struct ser_word_use {
    uint64_t value;  /* that was written last */
    uint32_t holder; /* 1 + the thread that has taken it; 0: none */
    uint32_t taken;  /* how many threads have: one, or more */
    uint32_t first;  /* 1 + the first of them */
    uint8_t size;
    bool is_put_back;
    bool is_data; /* it is not used as a lock */
} ser_word_use;

enum { SER_WORD_FILTER = 4096 };

typedef struct ser_word_locks {
    ser_pairmap numbers; /* (object id, offset) to the place in words, plus one */
    SER_VECTOR(ser_word_use) words;
    SER_VECTOR(uint32_t) awaited; /* by thread: 1 + the word that it has found taken; 0: none */
    uint32_t waiting;             /* threads that have found one taken */
    uint8_t filter[SER_WORD_FILTER / 8]; /* by address: may there be a word? */
} ser_word_locks;

void ser_word_locks_fini(ser_word_locks *locks);

static inline bool ser_word_locks_may_have(const ser_word_locks *locks, uint64_t address)
{
    uint64_t bit = address / 4 % SER_WORD_FILTER;
    return locks->filter[bit / 8] >> bit % 8 & 1;
}

/* First pass: an access of at most eight bytes. Must be called for what updates a word, or writes
 * where one may be, and for all writes while threads wait. `may_take`: the code may. If not all
 * accesses before were recorded, it may not. */
void ser_word_locks_add(ser_word_locks *locks, const ser_memory_object *object, uint64_t offset,
                        const ser_record *record, bool may_take);
/* A thread starts another, or takes a lock; and after the first pass. */
void ser_word_locks_go_on(ser_word_locks *locks, uint16_t thread);
void ser_word_locks_finish(ser_word_locks *locks);

/* Second pass: the word at this place, if it is used as a lock by several threads; and what an
 * access does to that: it takes it, gives it back, finds it taken, or nothing (skip). */
ser_word_use *ser_word_locks_find(ser_word_locks *locks, const ser_memory_object *object,
                                  uint64_t offset);
ser_op ser_word_lock_step(ser_word_use *word, const ser_record *record);

#endif
