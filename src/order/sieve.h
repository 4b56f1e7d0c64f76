/* SPDX-License-Identifier: MIT */
/*
 * sieve.h - builds a run of the events that matter alone (users.h), and its numbering.
 *
 * Of a multi-variable access all parts matter if one does; so does the event with which a thread
 * goes on after a wait. A block counts the events that it lacks (ser_run_block.spared).
 */
#ifndef SER_ORDER_SIEVE_H
#define SER_ORDER_SIEVE_H

#include "order/numbering.h"
#include "order/users.h"

typedef struct ser_sieve ser_sieve;

/* All must outlive the sieve, and symbols and numbering (all zero) its run. */
ser_sieve *ser_sieve_create(const ser_symbols *symbols, const ser_users *users,
                            ser_numbering *numbering);

/* The next events of the trace. SER_INPUT if too many are needed (2^32 - 2). */
ser_status ser_sieve_add(ser_sieve *sieve, const ser_event *events, size_t count, ser_error *error);

/* The next event that is added has that number in the trace, rather than one more than the last; 0:
 * it is none of the trace. */
void ser_sieve_continue_at(ser_sieve *sieve, uint64_t number);

/* The finished run; the sieve is gone. */
ser_run *ser_sieve_finish(ser_sieve *sieve, ser_error *error);
/* Instead of finish; accepts NULL. */
void ser_sieve_discard(ser_sieve *sieve);

#endif
