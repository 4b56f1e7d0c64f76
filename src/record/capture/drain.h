/* SPDX-License-Identifier: MIT */
/*
 * drain.h - takes records out of the rings of a channel, in the order of the run.
 *
 * channel.h says how rings are merged. What belongs together (a text and its bytes, an access and
 * the rest of its value) is taken together; the end of a recording (THREAD_LIMIT) is handed out
 * without the records behind it. Only one thread may drain a channel.
 */
#ifndef SER_RECORD_CAPTURE_DRAIN_H
#define SER_RECORD_CAPTURE_DRAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/channel.h"

/* Records, in order; called with many at once. */
typedef void (*ser_drain_sink)(void *context, const ser_record *records, size_t count);

/* Takes what can be taken now. `dead`: the program has ended, nothing more comes and
 * nothing is held back. How many records that were. */
uint64_t ser_drain(ser_channel *channel, bool dead, ser_drain_sink sink, void *context);

#endif
