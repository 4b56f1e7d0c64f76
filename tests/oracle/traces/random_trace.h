/* SPDX-License-Identifier: MIT */
/*
 * random_trace.h - random well-formed traces, by seed.
 *
 * Every trace is drawn from its own random mix (how many variables, how long the
 * blocks, how often a thread is interrupted, whether accesses are guarded by
 * locks, which operations occur at all), since one fixed mix would show the same
 * few situations again and again. About as many traces are serializable as not.
 */
#ifndef SER_ORACLE_RANDOM_TRACE_H
#define SER_ORACLE_RANDOM_TRACE_H

#include "base/vector.h"
#include "trace/event.h"

/* Operations a trace may hold besides r, w, acq, rel, fork, join, begin, end. */
typedef enum trace_profile {
    PROFILE_BASIC, /* none */
    PROFILE_LOCKS, /* re-entrant and shared sections, failed tries, rmw */
    PROFILE_WAITS, /* wait, notify, notifyall */
    PROFILE_ALL,   /* all of these, barriers, semaphores, calls, skipped events */
    PROFILE_COUNT
} trace_profile;

extern const char *const trace_profile_names[PROFILE_COUNT];

typedef struct trace_limits {
    uint32_t threads_low, threads_high;
    uint32_t events_low, events_high;
    trace_profile profile;
    bool large; /* long traces: mostly disciplined, so that violations are rare */
} trace_limits;

typedef SER_VECTOR(ser_event) event_list;

/* Appends a random trace to an empty list. Flags are empty. Operands of each
 * name space are below trace_most_names. */
void random_trace(event_list *events, const trace_limits *limits, uint64_t seed);

enum { trace_most_names = 256 };

#endif
