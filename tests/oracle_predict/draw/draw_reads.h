/* SPDX-License-Identifier: MIT */
/*
 * draw_reads.h - random rules for reads that may change (trace/reads.h).
 *
 * What is drawn for an event stands in its `flow` field, so that it stays with the
 * event when a trace is shrunk.
 */
#ifndef SER_ORACLE_DRAW_READS_H
#define SER_ORACLE_DRAW_READS_H

#include <stdio.h>

#include "random_trace.h"
#include "trace/reads.h"

/* Draws for all events; without that they follow the model avp. */
void draw_reads(event_list *raw, uint64_t seed);

/* Instead of drawing, by a text like "2:n 5:3~1 7:=1", of events: the limit is none (n), the end
 * (e) or so many events later (2 to 5), the event writes that value (=, 0 to 3; 0 is also the
 * initial one), accepts that value (~), or writes anyway (!). All else is as in avp. */
void set_reads(event_list *raw, const char *rules);

/* Was anything drawn? */
bool has_drawn_reads(const event_list *events);

/* The rules that were drawn for validated events. */
void make_reads(ser_reads *reads, const event_list *events);

/* One line for each read whose rule is not that of avp. */
void print_reads(FILE *file, const ser_reads *reads);

#endif
