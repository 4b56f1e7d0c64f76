/* SPDX-License-Identifier: MIT */
/*
 * program_trace.h - random traces of small programs, by seed.
 *
 * The machine of random_trace decides at every step what a thread does next; its
 * blocks are often empty, and its sections as often cut. Here each thread is given
 * a little program first, with blocks around several accesses, and a scheduler then
 * runs the programs. About as many blocks can be violated as not.
 */
#ifndef SER_ORACLE_PROGRAM_TRACE_H
#define SER_ORACLE_PROGRAM_TRACE_H

#include "random_trace.h"

/* Appends a random well-formed trace to an empty list. Of the limits, `large` is not
 * looked at; programs may be shorter than wanted, or end in a deadlock. */
void program_trace(event_list *events, const trace_limits *limits, uint64_t seed);

#endif
