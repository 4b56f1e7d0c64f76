/* SPDX-License-Identifier: MIT */
/*
 * numbering.h - the numbers that the events of a run have in its trace, where the run has but some
 * of them: those that matter (users.h).
 *
 * An interleaving of the run becomes one of the trace if each thread takes the steps that the run
 * does not have just before its next one that it has: ser_numbering_expand. For this the spared
 * events are kept, too, in one to three bytes each: the distance to the one before of their thread.
 */
#ifndef SER_ORDER_NUMBERING_H
#define SER_ORDER_NUMBERING_H

#include "base/vector.h"
#include "order/run.h"

typedef struct ser_spared {
    SER_VECTOR(uint8_t) distances; /* of a thread, seven bits in each byte, low ones first */
    uint64_t last;                 /* number of the last one */
} ser_spared;

typedef struct ser_numbering {
    SER_VECTOR(uint64_t) numbers; /* of the run's events; numbers.items[0] is unused */
    SER_VECTOR(ser_spared) spared;
} ser_numbering;

typedef SER_VECTOR(uint64_t) ser_number_list;

/* Of an all-zero numbering. */
void ser_numbering_init(ser_numbering *numbering);
void ser_numbering_fini(ser_numbering *numbering);

/* The next event of the trace is the next of the run, or is none of it but a step of its thread. */
void ser_numbering_keep(ser_numbering *numbering, uint64_t number);
void ser_numbering_spare(ser_numbering *numbering, uint32_t thread, uint64_t number);

/* The number in the trace of an event of the run; 0 is 0. */
static inline uint64_t ser_run_number(const ser_run *run, uint32_t event)
{
    return run->numbering ? run->numbering->numbers.items[event] : event;
}

/* An order of the run's events, of which each thread takes its first ones, as an order of events of
 * the trace; to be freed. O(order and spared events before its last ones). */
void ser_numbering_expand(const ser_run *run, const ser_event_list *order, ser_number_list *whole);

#endif
