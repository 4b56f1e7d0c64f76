/* SPDX-License-Identifier: MIT */
/*
 * shrink.h - makes a trace that shows a difference as short as it can.
 */
#ifndef SER_ORACLE_SHRINK_H
#define SER_ORACLE_SHRINK_H

#include "random_trace.h"

/* Is the trace well-formed, and does it still show the difference? */
typedef bool (*shows_difference)(void *context, const event_list *trace);

/* Deletes threads, runs of events, single events and pairs of one thread (an
 * acquire and its release, say) until nothing more can go. */
void shrink_trace(event_list *trace, shows_difference shows, void *context);

#endif
