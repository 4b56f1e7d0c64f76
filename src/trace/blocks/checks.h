/* SPDX-License-Identifier: MIT */
/*
 * checks.h - which critical sections belong together, since a thread acts in the second by what it
 * has read in the first?
 *
 *     lock; ok = left > 0; unlock; if (ok) { lock; left--; unlock; }
 *     lock; v = n; unlock; v++; lock; n = v; unlock;
 *
 * From the section of a read to that of a write of the same shared variable, in the same call of a
 * function or what it calls (a read in a call that has returned counts if the value was handed on:
 * SER_FLOW_HANDED, and no call of SER_FLOW_KEEPS has returned), if the value that was read is only
 * stored (SER_FLOW_DATA) and the variable not read again, or decides what is done later
 * (SER_FLOW_DECIDES) and what is read of it again decides nothing. A section is all the time that a
 * thread holds a lock, or a single access outside. (Where the write is such one, a lock that was
 * taken in between, or an atomic update that has returned something, may have told the thread what
 * counts.) Waits part what is before from what comes after, and so does a step back in the code of
 * a function: a new round of its loop.
 *
 * The other way round, what a call leaves in shared memory for its caller belongs to it:
 *
 *     strcpy(name, label(item));        where label() returns a static buffer
 *
 * From the begin of the call that wrote a variable to the caller's read of it, without a lock, if
 * the thread has read nothing else that is shared since, nor waited, nor changed anything
 * atomically: that may have handed the variable over.
 *
 * One pass over the validated trace, then the answers by position. Expected O(1) per event; memory:
 * O(variables * threads + answers).
 */
#ifndef SER_TRACE_BLOCKS_CHECKS_H
#define SER_TRACE_BLOCKS_CHECKS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_checks ser_checks;

ser_checks *ser_checks_create(const ser_symbols *symbols);
void ser_checks_destroy(ser_checks *checks);

/* The next event. Only accesses that are shared count. `is_lock`: it takes or posts a semaphore
 * that is used as a lock (lock_like.h). */
void ser_checks_see(ser_checks *checks, const ser_event *event, bool is_shared, bool is_lock);

/* After all events. A thread that the run ends with, in the middle of a section, may have failed
 * there: what it has looked at again counts then as acted upon, in a block that does not end. */
void ser_checks_finish(ser_checks *checks);

/* After that: where does the block end that begins at this position (from 0)? 0: none does.
 */
uint64_t ser_checks_end_of(const ser_checks *checks, uint64_t position);

/* How many are there so far? */
size_t ser_checks_count(const ser_checks *checks);

#endif
