/* SPDX-License-Identifier: MIT */
/*
 * window_blocks.h - blocks of a stream: those that are open, and those that wait to be decided.
 */
#ifndef SER_STREAM_WINDOW_BLOCKS_H
#define SER_STREAM_WINDOW_BLOCKS_H

#include "base/vector.h"
#include "stream/facts.h"

/* A block of the stream. */
typedef struct ser_window_block {
    uint64_t begin, end; /* numbers of its first and last event; end 0: it is open */
    ser_event first;     /* its first event */
    uint32_t events;     /* of its thread in it, so far */
    bool is_told;        /* that it is violated, before it was due */
    ser_block_actions actions;
} ser_window_block;

/* The block that a thread is in. */
typedef struct ser_open_block {
    uint64_t begin; /* its first event; 0: the thread is in none */
    size_t place;   /* in the list, unless blocks before it were decided since it was looked up */
} ser_open_block;

typedef struct ser_window_blocks {
    SER_VECTOR(ser_window_block) list; /* that are not decided, by their first event */
    SER_VECTOR(ser_open_block) open;   /* by thread */
} ser_window_blocks;

/* Of an initialiser {0}. */
void ser_window_blocks_fini(ser_window_blocks *blocks);

/* Does the event open a block, other than a step outside of blocks? */
bool ser_window_blocks_opens(const ser_event *event);

/* A block opens with that event. */
void ser_window_blocks_begin(ser_window_blocks *blocks, const ser_facts *facts,
                             const ser_event *event, uint64_t number);

/* The event is part of its thread's open block, and may close it. */
void ser_window_blocks_add(ser_window_blocks *blocks, const ser_event *event, uint64_t number);

/* By its first event; NULL: there is none. */
ser_window_block *ser_window_blocks_find(ser_window_blocks *blocks, uint64_t begin);

/* Those that were reported already are no more. */
void ser_window_blocks_drop_told(ser_window_blocks *blocks);

/* Has it ended by `latest`, or, if that is UINT64_MAX, has the stream? */
bool ser_window_block_is_due(const ser_window_block *block, uint64_t latest);

/* The first one that is due, from the event `first` on; NULL: there is none. */
const ser_window_block *ser_window_blocks_first_due(const ser_window_blocks *blocks, uint64_t first,
                                                    uint64_t latest);

#endif
