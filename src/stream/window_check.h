/* SPDX-License-Identifier: MIT */
/*
 * window_check.h - inside of windows: a violation that was found in an excerpt, checked as one of
 * the trace from the point on where the ring begins (witness/from_checkpoint.h). How the excerpt
 * was made does not enter into it.
 */
#ifndef SER_STREAM_WINDOW_CHECK_H
#define SER_STREAM_WINDOW_CHECK_H

#include "stream/excerpt.h"

/* The order is one of the excerpt's run without events that are in no trace (ser_excerpt_strip);
 * block: the number of its first event in the trace. SER_INTERNAL if it is no violation. */
ser_status ser_window_check(const ser_event_ring *ring, const ser_excerpt *excerpt, uint64_t block,
                            const ser_event_list *order, ser_error *error);

#endif
