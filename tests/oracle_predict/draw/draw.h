/* SPDX-License-Identifier: MIT */
/*
 * draw.h - the random trace of a seed.
 */
#ifndef SER_ORACLE_DRAW_H
#define SER_ORACLE_DRAW_H

#include "random_trace.h"

typedef struct draw_limits {
    trace_limits trace;
    bool any_profile; /* the seed chooses the profile */
    bool any_length;  /* the seed chooses the length: mostly short */
    bool joined;      /* accesses are joined in all traces, not only in some */
    bool late;        /* the same of accesses that are late */
    bool reads;       /* reads may change (draw_reads.h) */
    bool programs;    /* traces of programs with data (script.h) instead */
    bool values;      /* accesses have values, and in some traces flows (draw_values.h) */
} draw_limits;

/* Appends the trace to an empty list; returns what is atomic in it. */
const char *draw_trace(event_list *raw, const draw_limits *limits, uint64_t seed);

#endif
