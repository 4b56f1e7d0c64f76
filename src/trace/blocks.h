/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - what is atomic: marks the first and last event of every block.
 *
 * Modes of --atomic: markers (begin/end events), locks (spans in which a thread
 * holds a lock, split at waits), functions (calls that touch shared data twice
 * or more), a file of function names, auto. Only outermost blocks are marked:
 * SER_EVENT_OPENS and SER_EVENT_CLOSES, possibly on one and the same event.
 */
#ifndef SER_TRACE_BLOCKS_H
#define SER_TRACE_BLOCKS_H

#include "base/status.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_blocks ser_blocks;

/*
 * spec is the value of --atomic; any word that is no mode is the path of a
 * spec file. Modes whose marks depend on the whole trace (functions, auto) need
 * to see it twice: if ser_blocks_wants_survey, feed all events to
 * ser_blocks_survey first, then rewind the trace and mark.
 */
ser_status ser_blocks_create(ser_blocks **blocks, const char *spec, const ser_symbols *symbols,
                             ser_error *error);
void ser_blocks_destroy(ser_blocks *blocks);

bool ser_blocks_wants_survey(const ser_blocks *blocks);
void ser_blocks_survey(ser_blocks *blocks, const ser_event *events, size_t count);

/* Sets SER_EVENT_OPENS and SER_EVENT_CLOSES on validated events. */
void ser_blocks_mark(ser_blocks *blocks, ser_event *events, size_t count);

#endif
