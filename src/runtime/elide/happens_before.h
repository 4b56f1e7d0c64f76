/* SPDX-License-Identifier: MIT */
/*
 * happens_before.h - the threads' clocks: which operations of other threads happen before a
 * thread's next one, in every reordering that the trace allows.
 *
 * A stamp (core/thread.h) names an operation of a thread. Each thread has a vector clock: up to
 * which operation of each other thread all happen before its next one (ser_thread.known);
 * docs/algorithms/elision.md says when it grows. The stamp of a word's last read may stand for
 * several unordered threads (MANY): then it has a time instead of an operation (turns in serial
 * mode, clocks in parallel mode), and a set of threads, in which each has one of sixteen bits,
 * perhaps shared. Such a stamp happens before a thread's next operation if all that these threads
 * had done by that time does; for that they sample how many operations they have made.
 */
#ifndef SER_RUNTIME_ELIDE_HAPPENS_BEFORE_H
#define SER_RUNTIME_ELIDE_HAPPENS_BEFORE_H

#include "runtime/core/records/elided.h"
#include "runtime/elide/shadow.h"

enum { SER_STAMP_MANY = 0xffff }; /* in place of the thread */
static_assert((int)SER_STAMP_MANY >= (int)SER_THREADS, "it is not a thread");

static inline uint32_t ser_stamp_thread(uint64_t stamp)
{
    return stamp >> SER_STAMP_THREAD & 0xffff;
}

/* The slow path of ser_happens_before: a stamp of several threads. */
bool ser_many_happen_before(ser_thread *me, uint64_t stamp);

/* Does the stamp's operation happen before the thread's next one? */
static inline bool ser_happens_before(ser_thread *me, uint64_t stamp)
{
    uint32_t thread = ser_stamp_thread(stamp);
    if (ser_stamp_operation(stamp) == 0 || thread == me->number)
        return true;
    if (thread == SER_STAMP_MANY)
        return ser_many_happen_before(me, stamp);
    return thread < SER_KNOWN && me->known[thread] >= ser_stamp_operation(stamp);
}

/* The time that stands in such a stamp is above these bits, of the set. */
enum { SER_MANY_TIME = 16 };

static inline uint64_t ser_many_bit(uint32_t thread)
{
    return UINT64_C(1) << thread % SER_MANY_TIME;
}

/* A read of the word that is elided changes no stamp: the thread is one of several that read
 * until now or later. Parallel mode; the line is locked, or it is to be asked again. */
static SER_ALWAYS_INLINE bool ser_reads_among_many(const ser_thread *me, const ser_word *word)
{
    uint64_t write = word->write, read = ser_stamp_operation(word->read);
    uint32_t writer = ser_stamp_thread(write);
    return (write & (SER_WORD_ELIDED | SER_WORD_KEPT)) == SER_WORD_ELIDED &&
           ser_stamp_thread(word->read) == SER_STAMP_MANY && read & ser_many_bit(me->number) &&
           read >> SER_MANY_TIME >= ser_parallel_time(me) &&
           (writer == me->number ||
            (writer < SER_KNOWN && me->known[writer] >= ser_stamp_operation(write)));
}

static inline void ser_learn(ser_thread *me, uint32_t thread, uint64_t operation)
{
    if (thread >= SER_KNOWN || me->known[thread] >= operation)
        return;
    me->known[thread] = operation;
    me->learned++;
}

/* Joins the clock of another thread, and all that it did, into the thread's: of its creator, of
 * a thread that it joined, or met at a barrier. */
void ser_learn_all(ser_thread *me, const ser_thread *other);

/* The stamp of a word that the thread reads now; `stamp` if no other thread did. */
uint64_t ser_read_stamp(ser_thread *me, const ser_word *word, uint64_t stamp);

/* All threads may have read the word until they had that clock. Parallel mode. */
uint64_t ser_stamp_of_all(uint64_t clock);

#endif
