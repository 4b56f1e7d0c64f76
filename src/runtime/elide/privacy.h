/* SPDX-License-Identifier: MIT */
/*
 * privacy.h - leaving out accesses of memory that threads do not share.
 *
 * Most accesses of a program are of memory that nobody else touches at that time: they
 * conflict with nothing, and to record them costs far more than to perform them. After the
 * first `exact` operations of the run (options.h) a plain access is left out if it is not made in
 * a marked block, and every access that it conflicts with is known to come before
 * it *in every reordering of the run that the trace allows*; in a critical section
 * only if the word has been accessed outside before. That
 * is known of what the thread itself did, of what its creator did before, of what threads it has
 * joined did, and of what another thread did before a write whose value this
 * thread has read, where both are in the trace.
 *
 * For this every word of eight bytes has two stamps in a shadow memory, of its last
 * write and its last read: who, and the number of the operation; if several threads read
 * that do not know of each other, only when. A word is *hidden* once
 * accesses of it were left out, and *kept* once an access had to be recorded after that, was
 * recorded in a critical section, or conflicting accesses in no such order were
 * seen: from then on all are recorded. The recorder is told
 *   - before a recorded event, how many operations of the thread were left out before it (SKIP;
 *     calls and returns tell it themselves),
 *   - that a hidden word is kept from here on (RENEW): what is read there was not
 *     written by any write in the trace, so the word begins a new life as a variable,
 *   - that an event must stay behind operations that were left out (AFTER), because
 *     it conflicts with them and nothing else in the trace says so.
 * docs/recording.md says what that means for the user. Calls in which nothing is recorded
 * are left out, too.
 *
 * In serial mode the token protects the shadow, in parallel mode the lock of the line.
 */
#ifndef SER_RUNTIME_ELIDE_PRIVACY_H
#define SER_RUNTIME_ELIDE_PRIVACY_H

#include "runtime/core/records/left_out.h"
#include "runtime/elide/knowledge.h"
#include "runtime/elide/shadow.h"

/* Leaves out an access of a word that others have accessed, or nobody yet. */
bool ser_hides_other(ser_thread *me, uintptr_t address, bool writes);

/* The same for an access of two words; not if they are in different leaves. */
bool ser_hides_two(ser_thread *me, uintptr_t address, size_t size, bool writes);

/* Is the word the thread's own? Then an access is left out. The thread keeps nothing
 * (ser_thread.keeping); the line is locked, or its own (parallel mode). */
static SER_ALWAYS_INLINE bool ser_word_is_own(const ser_thread *me, const ser_word *word,
                                              bool writes)
{
    return (word->write & (SER_WORD_HIDDEN | SER_WORD_KEPT)) == SER_WORD_HIDDEN &&
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

/* The recorder must be told nothing before an access of the word that is recorded: nothing of it
 * was left out, or all of that is known; one of at most 8 bytes that lies in it. */
static inline bool ser_word_is_told(ser_thread *me, uintptr_t address, size_t size)
{
    const ser_word *word = ser_word_at(address);
    if (!word || address % 8 + size > 8 || word->write & SER_WORD_UNTOLD)
        return false;
    return !(word->write & SER_WORD_HIDDEN) ||
           (word->write & SER_WORD_KEPT && ser_knows(me, word->read));
}

/* Everything of the word is recorded. */
static inline bool ser_word_is_kept(uintptr_t address)
{
    const ser_word *word = ser_word_at(address);
    return word && word->write & SER_WORD_KEPT;
}

/* Before the record of an access of a word that is told, with its tag. */
void ser_meet_told(ser_thread *me, uintptr_t address, uint64_t tag);

/* Could an access of the word be left out? */
bool ser_may_hide_word(ser_thread *me, const ser_word *word, bool writes);

/* An access of any size, in parallel mode of at most a line. */
typedef struct ser_touch {
    const void *address;
    size_t size;
    bool writes;
    bool kept;        /* it must not be left out */
    bool goes_on;     /* with the operation of the thread's last touch */
    bool hidden;      /* out: it is left out */
    bool alone;       /* out: without a lock, in lines of the thread's own (parallel mode) */
    const void *part; /* out: if not, what of it is to be recorded: words at its ends may be left */
    size_t part_size; /* out alone */
} ser_touch;

/* How much of a range, from its start, can be left out as a whole, or cannot be at all. Serial
 * mode. */
size_t ser_touch_run(ser_thread *me, const ser_touch *touch);

/* Leaves an access out, if it can be; nobody else is at these words. */
bool ser_touch_hides(ser_thread *me, const ser_touch *touch);

/* Locks the lines (parallel mode), and decides whether the access is left out. If not, what is
 * owed has been told, and ser_reveal must come before the record. */
void ser_touch_begin(ser_thread *me, ser_touch *touch);
/* Tells the recorder what it must know of the words before an access that is recorded next. */
void ser_reveal(ser_thread *me, const ser_touch *touch, ser_op op);
void ser_touch_end(ser_thread *me, const ser_touch *touch);

/* Nothing is left out at first. */
void ser_privacy_start(ser_thread *thread);

#endif
