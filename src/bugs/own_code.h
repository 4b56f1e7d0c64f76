/* SPDX-License-Identifier: MIT */
/*
 * own_code.h - where in the program's own code something happens.
 *
 * An access may be made by a function of the C++ or Java library. Nobody can fix that one, and its
 * name and place say little: people want to know which of their functions has called it, and where.
 * Traces have calls of the program's own functions, but not the places that they are called from.
 */
#ifndef SER_BUGS_OWN_CODE_H
#define SER_BUGS_OWN_CODE_H

#include "order/run.h"

/* Is it a place in a header of the system, or in a package of Java itself? */
bool ser_is_library_place(const char *location);

/* The calls that the event's thread was in, the outermost first. Empty where calls were not
 * recorded. To be freed. */
ser_event_list ser_stack_of(const ser_run *run, uint32_t event);

/* The innermost of these calls that is of the program's own code; 0: none is known. */
uint32_t ser_own_call(const ser_run *run, uint32_t event);

/* The innermost call that both events of one thread are in; 0: none is known. */
uint32_t ser_common_call(const ser_run *run, uint32_t event, uint32_t other);

/* The call by which the function of an outer call leads to an event; 0: it is its own, or none. */
uint32_t ser_call_towards(const ser_run *run, uint32_t outer, uint32_t event);

/* Is the second of two events of one thread in a call that begins after the first? */
bool ser_is_in_later_call(const ser_run *run, uint32_t first, uint32_t second);

/* The event of the program's own code that is nearest to an event of a library: the one before it
 * in the same call, or the one after it, or the call; an event of own code itself. 0: none is
 * known. */
uint32_t ser_own_event(const ser_run *run, uint32_t event);

/* The events of a call directly before and after an event that is in it, or in what it calls; 0:
 * none. Those in functions that the call has called do not count. */
uint32_t ser_own_before(const ser_run *run, uint32_t call, uint32_t event);
uint32_t ser_own_after(const ser_run *run, uint32_t call, uint32_t event);

#endif
