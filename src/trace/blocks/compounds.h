/* SPDX-License-Identifier: MIT */
/*
 * compounds.h - which reads begin a compound assignment, such as n++ or total += x?
 *
 * Those after which their thread, each time in the trace, next writes the same variable at the
 * same line. Other reads at the line do not count, as of `if (n > 0) n--`, if what is known about
 * the code (SER_FLOW_*) tells them apart, or if they are of other variables and right before a
 * further read at the line, as of `total += cells[i]`: then the first variables are remembered that
 * are written. One pass; O(1) per event, O(sites + threads) memory.
 */
#ifndef SER_TRACE_BLOCKS_COMPOUNDS_H
#define SER_TRACE_BLOCKS_COMPOUNDS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_compound_read {
    uint32_t kind, variable;
    uint32_t site;
    bool is_open; /* the thread's next event is still to come */
} ser_compound_read;

enum { SER_COMPOUND_VARIABLES = 4 };

/* Of the reads at a site with one flow. */
typedef struct ser_compound_kind {
    uint32_t variables[SER_COMPOUND_VARIABLES]; /* the first that were written next */
    uint8_t count;                              /* of these */
    uint8_t seen;                               /* are reads of them always followed by a write? */
    bool has_others;                            /* other variables are read, which are operands */
} ser_compound_kind;

typedef struct ser_compounds {
    const ser_symbols *symbols;
    ser_pairmap numbers; /* site, flow: the number of a kind of reads */
    SER_VECTOR(ser_compound_kind) kinds;
    SER_VECTOR(ser_compound_read) threads; /* by thread: its last event, if that was a read */
    bool in_step;                          /* the last event is joined to the next */
    bool any;                              /* some site begins one, or did once */
} ser_compounds;

void ser_compounds_fini(ser_compounds *compounds);

/* The next validated event. */
void ser_compounds_see(ser_compounds *compounds, const ser_event *event);

/* After all events: does this one begin a compound assignment? */
bool ser_compounds_begin(const ser_compounds *compounds, const ser_event *event);

/* The same of plain reads at a site, with that flow. */
bool ser_compounds_begin_at(const ser_compounds *compounds, uint32_t site, uint16_t flow);

#endif
