/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - single rounds of the loops in threads' first functions.
 *
 * A loop is seen in the trace: the thread comes back to a place of shared data in that function. A
 * round lasts from the first such place of the loop to the last event of shared data before the
 * thread is there again; waits at a barrier cut it. As with whole thread functions, only one that
 * takes no lock, updates nothing atomically and calls nothing that touches shared data is looked
 * at; nor is one of compound assignments only, which are blocks of their own.
 *
 * Two passes: see all events, finish, then begin and end are asked for each event, in the same
 * order. Memory: 16 bytes per access of shared data in a thread's first function, up to a limit
 * beyond which a thread has no rounds.
 */
#ifndef SER_TRACE_BLOCKS_ROUNDS_H
#define SER_TRACE_BLOCKS_ROUNDS_H

#include "trace/blocks/compounds.h"

/* An event of shared data, or an arrival at a barrier (site SER_NO_SITE). */
typedef struct ser_round_place {
    uint32_t site;
    uint16_t flow;
    bool reads;
    uint64_t at; /* which event of its thread */
} ser_round_place;

typedef struct ser_loop_round {
    uint64_t first, last; /* events of its thread */
} ser_loop_round;

typedef struct ser_round_thread {
    SER_VECTOR(ser_round_place) places; /* of the call that is open */
    SER_VECTOR(ser_loop_round) found;
    uint64_t at;      /* events seen */
    size_t next;      /* round, in the second pass */
    uint32_t calls;   /* open ones */
    bool is_excluded; /* the call takes locks, or else is none to look at */
} ser_round_thread;

typedef struct ser_rounds {
    const ser_compounds *compounds; /* assignments that are blocks of their own */
    SER_VECTOR(ser_round_thread) threads;
    bool any;
} ser_rounds;

void ser_rounds_fini(ser_rounds *rounds);

/* First pass. `is_shared`: it accesses shared data. */
void ser_rounds_see(ser_rounds *rounds, const ser_event *event, bool is_shared);
void ser_rounds_finish(ser_rounds *rounds);

/* Second pass, for each event that takes part: does a round begin, or end, with it? */
void ser_rounds_restart(ser_rounds *rounds);
void ser_rounds_next(ser_rounds *rounds, const ser_event *event, bool *begins, bool *ends);

#endif
