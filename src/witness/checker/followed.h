/* SPDX-License-Identifier: MIT */
/*
 * checker/followed.h - inside of the checker: values while an order is executed.
 *
 * Where texts name reads (checker/code.h), what reads see and writes compute is followed from event
 * to event: a read may see another value than in the trace and still lead its thread the same way.
 * Elsewhere values are those of the trace, and only equal ones are as good (checker/values.h).
 */
#ifndef SER_WITNESS_CHECKER_FOLLOWED_H
#define SER_WITNESS_CHECKER_FOLLOWED_H

#include "witness/checker/execution.h"

/* May the read see the variable's last write, as far as its thread goes on as observed? The
 * variable is not dirty. */
bool ser_followed_accepts(const ser_execution *run, uint32_t read);

/* Before a read takes effect: notes the value that it sees, where that is known and another one. */
void ser_followed_note_read(ser_execution *run, uint32_t read);

/* A read that is not broken. If it sees another value, it is altered: is the limit of its thread
 * then before its next event? */
bool ser_followed_alters(ser_execution *run, uint32_t read);

/* A write takes effect, and is not dirty because of what its thread has read: computes its value,
 * or makes the variable dirty if that is not possible. */
void ser_followed_write(ser_execution *run, uint32_t write);

/* Before an event: whatever was altered is data only, and what is not known of it behind a barrier
 * is dirty. */
void ser_followed_pass_barrier(ser_execution *run, uint32_t event);

/* Takes back what an event has changed. */
void ser_followed_forget(ser_execution *run, uint32_t event);

/* Do guards of the read name other reads? They may fail by what these had. */
bool ser_followed_is_joint(const ser_execution *run, uint32_t read);

/* Is it known what a broken read-modify-write writes? Where values are followed, what it has read
 * is kept for that. */
bool ser_followed_knows(ser_execution *run, uint32_t update);

/* What the variable holds, where values are followed; false: not known. */
bool ser_followed_find_held(const ser_execution *run, uint32_t variable, uint64_t *value);

#endif
