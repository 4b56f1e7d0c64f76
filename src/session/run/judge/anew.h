/* SPDX-License-Identifier: MIT */
/*
 * anew.h - a block that does the same thing several times, or undoes it.
 *
 * A function may call another one in a loop, which looks at shared data, changes it, and is over.
 * What a call has seen is of no use for the next one, which looks itself: others may come in
 * between. So it is with who takes an element from a stack, and puts another one where the top is
 * by then.
 */
#ifndef SER_SESSION_RUN_JUDGE_ANEW_H
#define SER_SESSION_RUN_JUDGE_ANEW_H

#include "order/run.h"

/* The events show the violation of a block. Is the last one a look at what the first has written,
 * or the same look as the first, in a later call of the same function, and did the earlier call
 * write what was looked at? A function that only reads is no operation of its own: its caller acts
 * upon what it returns. O(events of the thread). */
bool ser_looks_anew(const ser_run *run, uint32_t block, const uint32_t *events, size_t count);

/* Was what the block has read, in a critical section, an element of an array whose index it changed
 * there, and does the write, in another one, choose its element by an index that it has read there?
 * Then the array had given the element away, and it is by chance if it is the same one. Each
 * section is named by its acquire (stale.h). O(events of the sections). */
bool ser_is_put_back(const ser_run *run, uint32_t taken_in, uint32_t read, uint32_t put_in,
                     uint32_t write);

#endif
