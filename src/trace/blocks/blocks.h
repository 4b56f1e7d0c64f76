/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - what is atomic: marks the first and last event of every block.
 *
 * Modes of --atomic: markers (begin/end events), locks (spans in which a thread
 * holds a lock), functions (calls that touch shared data twice
 * or more), rounds (of thread functions' loops, and thread functions without any), updates
 * (compound assignments), a file of function names, auto (markers where there are any, else all of
 * these). Only outermost blocks are marked: SER_EVENT_OPENS and SER_EVENT_CLOSES, possibly on one
 * and the same event. A block that waits for a condition or at a barrier, other than by markers, is
 * cut there into two, and so is one that runs something that runs once.
 */
#ifndef SER_TRACE_BLOCKS_BLOCKS_H
#define SER_TRACE_BLOCKS_BLOCKS_H

#include "base/status.h"
#include "trace/blocks/function_spec.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_blocks ser_blocks;

/*
 * spec is the value of --atomic (NULL is "markers"); any word that is no mode is
 * the path of a spec file. Modes whose marks depend on the whole trace
 * (functions, auto) need to see it in advance, up to twice:
 *
 *     while (ser_blocks_wants_survey(blocks)) {
 *         from the first event: ser_blocks_survey until it returns false or the trace ends
 *         ser_blocks_end_survey(blocks);
 *     }
 *     from the first event: ser_blocks_mark
 */
ser_status ser_blocks_create(ser_blocks **blocks, const char *spec, const ser_symbols *symbols,
                             ser_error *error);
void ser_blocks_destroy(ser_blocks *blocks);

/* Will blocks of this spec want a survey? */
bool ser_blocks_spec_wants_survey(const char *spec);

/* Is it a file, whose functions may be told apart by their places? Then events need their sites. */
bool ser_blocks_spec_may_name_places(const char *spec);

/* Is another round of survey needed, over all events? */
bool ser_blocks_wants_survey(const ser_blocks *blocks);

/* Do the blocks depend on the events' sites from the next pass on? */
bool ser_blocks_want_sites(const ser_blocks *blocks);

/* Examines the next validated events; false if the round needs no more of them. */
bool ser_blocks_survey(ser_blocks *blocks, const ser_event *events, size_t count);

/* Ends a round. */
void ser_blocks_end_survey(ser_blocks *blocks);

/* Sets SER_EVENT_OPENS, SER_EVENT_CLOSES and SER_EVENT_STEP on validated events. */
void ser_blocks_mark(ser_blocks *blocks, ser_event *events, size_t count);

/* How many blocks were marked, open ones included, since the first event. */
uint64_t ser_blocks_count(const ser_blocks *blocks);

/* What makes one of them a block; they are numbered from 0, in the order of their first events. */
ser_block_kind ser_blocks_kind(const ser_blocks *blocks, uint64_t block);

/* The file of functions; NULL: the spec is another one. */
const ser_function_spec *ser_blocks_spec(const ser_blocks *blocks);

/* Back to the first event; results of the surveys are kept. */
void ser_blocks_restart(ser_blocks *blocks);

#endif
