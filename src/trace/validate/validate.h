/* SPDX-License-Identifier: MIT */
/*
 * validate.h - is the trace well-formed?
 *
 * A lock has one exclusive holder or several shared ones, re-entrant acquires
 * are allowed, releases match; a forked thread has no event before its fork nor
 * a joined one after its join; begin and end, call and return match and nest; what
 * SER_EVENT_JOINED joins are accesses of one thread and operation, directly one after
 * the other (unless the trace ends).
 * Cost: O(1) per event. Memory: O(threads + locks + barriers + call depth).
 */
#ifndef SER_TRACE_VALIDATE_VALIDATE_H
#define SER_TRACE_VALIDATE_VALIDATE_H

#include "base/status.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_validator ser_validator;

/* With lenient, events that break a rule become skips (SER_OP_SKIP) and are counted. */
ser_validator *ser_validator_create(const ser_symbols *symbols, bool lenient);
void ser_validator_destroy(ser_validator *validator);

/*
 * Checks the next events of the trace; first is the number of events[0]. Marks
 * inner acquires, releases, begins and ends with SER_EVENT_INNER. On a broken
 * rule: SER_INPUT, a message that names event and rule, and *good is how many
 * events of this batch stand before the bad one.
 */
ser_status ser_validator_check(ser_validator *validator, ser_event *events, size_t count,
                               uint64_t first, size_t *good, ser_error *error);

/* Threads that have had events so far. */
uint64_t ser_validator_threads(const ser_validator *validator);

/* Events dropped so far, with lenient; and what was wrong with the first. */
uint64_t ser_validator_dropped(const ser_validator *validator);
const char *ser_validator_first_complaint(const ser_validator *validator);

#endif
