/* SPDX-License-Identifier: MIT */
/*
 * elision.h - eliding accesses of memory that threads do not share.
 *
 * Most accesses of a program are of memory that no other thread uses at that time: they conflict
 * with nothing, and recording them costs far more than performing them. After the first `exact`
 * operations of the run (options.h) a plain access is elided if it is not made in a marked block,
 * and every access that it conflicts with happens before it *in every reordering of the run that
 * the trace allows*; in a critical section only if the word has been accessed outside of one
 * before. What happens before: all that the thread itself did, what its creator did before creating
 * it, what threads that it has joined did, and what another thread did before a write whose value
 * this thread has read, if both are in the trace.
 *
 * For this every word of eight bytes has two stamps in a shadow memory, of its last
 * write and its last read: the thread, and the number of the operation; if several unordered
 * threads read it, only when. A word is *elided* once accesses of it were elided, and *kept* once
 * an access had to be recorded after that, was recorded in a critical section, or conflicting
 * accesses in no such order were seen: from then on all are recorded. The recorder is recorded
 *   - before a recorded event, how many operations of the thread were elided before it (SKIP;
 *     calls and returns say it themselves),
 *   - that a elided word is kept from here on (RENEW): what is read there was not
 *     written by any write in the trace, so the word begins a new life as a variable,
 *   - that an event must come after elided operations (AFTER), because
 *     it conflicts with them and nothing else in the trace says so.
 * docs/recording.md says what that means for the user. Calls in which nothing is recorded
 * are elided, too.
 *
 * In serial mode the token protects the shadow, in parallel mode the lock of the line.
 */
#ifndef SER_RUNTIME_ELIDE_ELISION_H
#define SER_RUNTIME_ELIDE_ELISION_H

#include "runtime/core/records/elided.h"
#include "runtime/elide/happens_before.h"
#include "runtime/elide/shadow.h"

/* Elides an access of a word that other threads have accessed, or none yet. */
bool ser_hides_other(ser_thread *me, uintptr_t address, bool writes);

/* The same for an access of two words; not if they are in different leaves. */
bool ser_hides_two(ser_thread *me, uintptr_t address, size_t size, bool writes);

/* Is the word the thread's own? Then an access is elided. The thread keeps nothing
 * (ser_thread.keeping); the line is locked, or its own (parallel mode). */
static SER_ALWAYS_INLINE bool ser_word_is_own(const ser_thread *me, const ser_word *word,
                                              bool writes)
{
    return (word->write & (SER_WORD_ELIDED | SER_WORD_KEPT)) == SER_WORD_ELIDED &&
           ser_stamp_is_of(word->read, me->stamp) &&
           (!writes || ser_stamp_is_of(word->write, me->stamp));
}

/* Of such a word, with the stamp of that access. */
static SER_ALWAYS_INLINE void ser_word_hide_own(const ser_thread *me, ser_word *word, bool writes)
{
    word->read = me->stamp;
    if (writes) /* they were there before */
        word->write = me->stamp | (word->write & SER_WORD_FLAGS);
}

/* The same for any word. */
static inline bool ser_hides(ser_thread *me, uintptr_t address, size_t size, bool writes)
{
    ser_word *word = ser_word_at(address);
    if (address % 8 + size > 8)
        return ser_hides_two(me, address, size, writes);
    if (word && ser_word_is_own(me, word, writes)) {
        ser_leave_out(me);
        ser_word_hide_own(me, word, writes);
        return true;
    }
    return !(word && word->write & SER_WORD_KEPT) && ser_hides_other(me, address, writes);
}

/* No other record must come before a recorded access of the word: nothing of it was elided, or
 * all of that happens before. For an access of at most 8 bytes that lies in the word. */
static inline bool ser_word_is_recorded(ser_thread *me, uintptr_t address, size_t size)
{
    const ser_word *word = ser_word_at(address);
    if (!word || address % 8 + size > 8 || word->write & SER_WORD_UNRECORDED)
        return false;
    return !(word->write & SER_WORD_ELIDED) ||
           (word->write & SER_WORD_KEPT && ser_happens_before(me, word->read));
}

/* Everything of the word is recorded. */
static inline bool ser_word_is_kept(uintptr_t address)
{
    const ser_word *word = ser_word_at(address);
    return word && word->write & SER_WORD_KEPT;
}

/* Before the record of an access of a word that is recorded, with its tag. */
void ser_meet_recorded(ser_thread *me, uintptr_t address, uint64_t tag);

/* Could an access of the word be elided? */
bool ser_may_elide_word(ser_thread *me, const ser_word *word, bool writes);

/* An access of any size, in parallel mode of at most a line. */
typedef struct ser_touch {
    const void *address;
    size_t size;
    bool writes;
    bool kept;        /* it must not be elided */
    bool goes_on;     /* with the operation of the thread's last touch */
    bool elided;      /* out: it is elided */
    bool alone;       /* out: without a lock, in lines of the thread's own (parallel mode) */
    const void *part; /* out: if not, what of it is to be recorded: words at its ends may be left */
    size_t part_size; /* out alone */
} ser_touch;

/* How much of a range, from its start, can be elided as a whole, or cannot be at all. Serial
 * mode. */
size_t ser_touch_run(ser_thread *me, const ser_touch *touch);

/* Elides an access, if it can be; no other thread accesses these words meanwhile. */
bool ser_touch_elides(ser_thread *me, const ser_touch *touch);

/* Locks the lines (parallel mode), and decides whether the access is elided. If not, counts of
 * elided operations have been recorded, and ser_reveal must come before the record. */
void ser_touch_begin(ser_thread *me, ser_touch *touch);
/* Records what must come before a recorded access of the words. */
void ser_reveal(ser_thread *me, const ser_touch *touch, ser_op op);
void ser_touch_end(ser_thread *me, const ser_touch *touch);

/* Nothing is elided at first. */
void ser_elision_start(ser_thread *thread);

#endif
