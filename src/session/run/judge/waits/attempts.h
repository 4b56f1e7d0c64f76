/* SPDX-License-Identifier: MIT */
/*
 * attempts.h - violations that are none for people: others look at a lock that the block holds.
 *
 * A lock that a program makes of an atomic variable is data by the definition. If the block holds
 * it, and another thread tries to take it, then that comes between the block's accesses of the
 * variable, and the block is violated. So it is with the counts of references of std::shared_ptr:
 * a thread that holds a reference for a while has changed the count twice. An access of another
 * thread is ignored if it is
 *
 *   - a read-modify-write that leaves the value as it is, or a compare-exchange that failed, behind
 * a read-modify-write by which the block has changed the variable;
 *   - there also a read after which its thread accesses the same variable next: it only waits;
 *   - anywhere a read that decides, and that its thread only repeats (awaited.h), or that was made
 *     while a version changed, and is made again (versions.h);
 *   - an update whose old value nobody uses, of a variable that the block, too, only updates so;
 *   - any access of a count of references (survey/references.h) but the free, and of what
 * std::atomic keeps about who waits for it. Where these are ignored, so are frees by the block of
 * what others used before.
 *
 * Values are needed: the order must be one that happened. Blocks that are marked as atomic mean
 * what they say.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_ATTEMPTS_H
#define SER_SESSION_RUN_JUDGE_WAITS_ATTEMPTS_H

#include "order/run.h"
#include "witness/checker.h"

/* Is the block with that first event, which the order of the run violates by a path, not violated
 * any more if such accesses are ignored? O(events) and a few checks. */
bool ser_is_only_attempts(const ser_run *run, uint32_t begin, const ser_witness_facts *facts);

/* The other way round: such a lock hides what it protects. The path leads through variables that
 * the block itself takes and gives back, or that are agreed upon (protocols.h); is the block
 * violated, in the order of the run, if all accesses of these are ignored? `behind`, to be ended,
 * is about that violation. */
bool ser_is_violated_behind(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                            ser_witness_facts *behind);

/* The same of what a library keeps for itself (library.h): is the block violated, in the order of
 * the run, if all such accesses are ignored? `beside`, to be ended, is about that violation. */
bool ser_is_violated_beside_library(const ser_run *run, uint32_t begin, ser_witness_facts *beside);

/* Does the block overwrite a variable that another thread has changed since the block read it? */
bool ser_is_overwriting(const ser_run *run, const ser_witness_facts *facts);

#endif
