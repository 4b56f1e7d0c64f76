/* SPDX-License-Identifier: MIT */
/*
 * meant.h - did somebody say that a block is atomic, and mean it?
 *
 * Markers and names mean what they say, with one exception. If all that a thread does was atomic,
 * threads would run one after another, and nobody would need them. Who names the function that a
 * thread begins with means what that protects, or had nothing smaller to name. Such a block is
 * judged as one that was guessed, unless somebody sees what it has only begun to change.
 *
 * And who names a function of a lock-free algorithm means that it takes effect at once, by one
 * compare-exchange, though others come between its steps. So its violation, too, is a bug only if
 * something is lost, torn or felt.
 */
#ifndef SER_SESSION_RUN_JUDGE_MEANT_H
#define SER_SESSION_RUN_JUDGE_MEANT_H

#include "order/run.h"

/* `guessed`: nobody said which blocks are atomic. O(calls of a library that the thread begins
 * with). */
bool ser_block_is_meant(const ser_run *run, uint32_t block, bool guessed);

/* The events show a violation of the block. Does nobody see a state that no order of the calls one
 * after another has? Others only update what they read (n++), and so does the block, or it looks
 * again at the one variable that it has looked at. O(events of critical sections). */
bool ser_is_unseen(const ser_run *run, uint32_t block, const uint32_t *events, size_t count);

/* The events show a violation of the block. Are all of them atomic accesses, and does the block
 * change something by a compare-exchange? O(events of the block). */
bool ser_takes_effect_at_once(const ser_run *run, uint32_t block, const uint32_t *events,
                              size_t count);

#endif
