/* SPDX-License-Identifier: MIT */
/*
 * polling.h - violations that are no bugs: a thread waits for another one in a loop.
 *
 * A thread that waits reads the same variable until another one changes it: by the definition that
 * violates the function in which it waits. Schedules that are forced make threads wait where
 * they do not in ordinary runs. It is no bug if the two accesses of the block that show it
 *
 *   - have a wait between them: there the block admits other threads; also if the second one only
 *     asks whether to wait, for something that the block has not looked at before;
 *   - are reads (or read-modify-writes) of one variable at one place, called in the same way
 *     (in code of a library: after the program took a lock at the same place), where
 *     the block comes three times or more, or more often than another call of the function, or by
 *     a loop of the code: a loop that waits for another value or works in rounds, or where some
 *     thread waits if it has read another one;
 *   - are reads of one variable, and one is a compare-exchange that failed: so the program knows
 *     that the value it read before is stale;
 *   - are of one variable, and the first is an exchange that found what it wanted to write: a flag
 *     that was taken, at which the thread looks until it is free;
 *   - are of one variable, and the second is one by which std::atomic::wait, a std::barrier or the
 *     like looks whether to go on waiting;
 *   - are reads of one variable, the second of which is made with a lock that was taken after the
 *     first, and decides something, and nothing is written between: double-checked locking, which
 *     looks again.
 *
 * Blocks that are marked as atomic are always taken at their word. A limit: a loop whose only call
 * reads just twice, and calls functions of another module for it, looks like two separate reads.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_POLLING_H
#define SER_SESSION_RUN_JUDGE_WAITS_POLLING_H

#include "order/run.h"
#include "witness/checker.h"

/* Of the block with that first event, violated by a path of the run; `first` is another run of the
 * program, or NULL. O(events). */
bool ser_is_polling(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                    const ser_run *first);

/* Of such a path: does the block read only to store or to compute, so that no branch depends on it?
 * A loop of this kind works, and does not wait: what comes between its rounds may be felt. */
bool ser_is_working_loop(const ser_run *run, const ser_witness_facts *facts);

/* A read-modify-write that left the value as it was, by the values of the trace. */
bool ser_leaves_value(const ser_run *run, uint32_t access);

/* A read where compare-exchanges succeed, too, is one that failed. O(events). */
bool ser_is_failed_exchange(const ser_run *run, const ser_event *access);

#endif
