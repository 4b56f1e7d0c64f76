/* SPDX-License-Identifier: MIT */
/*
 * owners.h - parallel mode: lines of memory that one thread has for itself.
 *
 * To lock a line costs more than the access. So a line (64 bytes) belongs to the first thread that
 * accesses it, and as long as nobody else comes, that thread leaves accesses out without any
 * lock (privacy.h). Whoever else comes first makes the line common, until its memory is allocated
 * anew:
 *
 *     the other thread                              the owner
 *     owner of the line = MOVING                    inside = ALONE
 *     membarrier                                    read the owner of the line: mine?
 *     wait until the owner is not ALONE             ...
 *     raise the clock of the line
 *     owner of the line = COMMON
 *
 * As with the token (docs/runtime.md), either the owner's `inside` is seen, or it sees that the
 * line is no longer its own and locks lines like everybody. The owner waits for nothing while
 * it is ALONE. The line gets the owner's clock: what comes later is later than all that it did.
 *
 * The barrier is dear. So the more lines of a page are common, the more are made common at
 * once: of a page that threads share, all of them in a few steps; of a stack with one shared
 * variable, a line or two.
 */
#ifndef SER_RUNTIME_OWNERS_H
#define SER_RUNTIME_OWNERS_H

#include "runtime/privacy.h"

enum { SER_LINE_NOBODYS = 0, SER_LINE_MOVING = 0xfffe, SER_LINE_COMMON = 0xffff };

/* Sees to it that the thread may lock the lines of an access: they are its own, or common.
 * It has no line locked. */
void ser_owners_open(ser_thread *me, uintptr_t address, size_t size);

/* The same question, for the line of one address. A line that nobody has is not open, to a thread
 * without a tag either: the next one would have it for itself. */
static inline bool ser_line_is_open(const ser_thread *me, uintptr_t address)
{
    const volatile uint16_t *line = ser_owner_at(address);
    uint16_t owner = line ? *line : SER_LINE_NOBODYS;
    return owner != SER_LINE_NOBODYS && (owner == SER_LINE_COMMON || owner == me->owner_tag);
}

#endif
