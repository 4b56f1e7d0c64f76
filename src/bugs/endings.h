/* SPDX-License-Identifier: MIT */
/*
 * endings.h - does a violation explain how a run ended, which does not have all of it?
 *
 * A run that fails while a block is violated ends before the block does, so that nothing comes back
 * to the block: no part of such a run is a violation. What it has of one is that the thread which
 * failed had read what a block had written that was still open.
 */
#ifndef SER_BUGS_ENDINGS_H
#define SER_BUGS_ENDINGS_H

#include "bugs/bugs.h"

/* Has the thread that failed seen the bug's code half done, or is its last step, and the write that
 * it read from, a pair of accesses that shows the bug? O(events). */
bool ser_bug_explains_end(const ser_bug *bug, const ser_run *run);

/* Is the last step of the thread that failed a look at the bug's data? Then they are one matter,
 * though it is not known whether the one leads to the other. */
bool ser_bug_is_looked_at_last(const ser_bug *bug, const ser_run *run);

/* The same of the thread that an exception ends, by name: it leaves its calls before it ends, and
 * other threads go on. */
bool ser_bug_is_looked_at_by(const ser_bug *bug, const ser_run *run, const char *thread);

/* Does a thread of the deadlock (ser_failure.waits) wait where the block acts, for nothing that
 * another one holds? What it looked at first, a queue that was not empty, say, was true no more. */
bool ser_bug_is_waited_in(const ser_bug *bug, const char *waits);

#endif
