/* SPDX-License-Identifier: MIT */
/*
 * locals.h - local variables whose beginning need not be recorded yet.
 *
 * A local variable whose address escapes is a new variable each time its life begins
 * (__seriatim_local). Programs make millions of them that only their thread accesses. So while
 * accesses are elided (elision.h) their beginnings are held back: the thread remembers what is on
 * its stack, the words are marked, and before the first recorded access of such a word the
 * variable's beginning is recorded.
 */
#ifndef SER_RUNTIME_ELIDE_LOCALS_H
#define SER_RUNTIME_ELIDE_LOCALS_H

#include "runtime/elide/elision.h"

/* The life of a local variable begins; `stack` is where the thread's stack ends now. */
void ser_local_begin(ser_thread *me, uintptr_t address, size_t size, uint32_t site,
                     uintptr_t stack);

/* The same if it is in the table already, from the last call of the function, and no other
 * thread has accessed it since: then nothing else is to be done. `words` are its words, and
 * their lines the thread's own. */
bool ser_local_is_held(ser_thread *me, uintptr_t address, size_t size, uint32_t site,
                       const ser_word *words);

/* Records the beginning of the variables that have bytes of the word; false if they are no
 * longer in the table: then the memory must be recorded as new. In parallel mode the thread has
 * the clock of the event that comes; it may rise. */
bool ser_local_record(ser_thread *me, uintptr_t word);

/* Before an event of a variable, lock or other thing: records its beginning if that is still to
 * be done. False: it must be recorded as new. */
static inline bool ser_local_reveal(ser_thread *me, uintptr_t address)
{
    ser_word *word = ser_word_at(address);
    if (ser_likely(!word || !(word->write & SER_WORD_UNRECORDED)))
        return true;
    word->write &= ~(uint64_t)SER_WORD_UNRECORDED;
    return ser_local_record(me, address / 8 * 8);
}

#endif
