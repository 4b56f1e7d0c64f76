/* SPDX-License-Identifier: MIT */
/*
 * marked_trace.h - small traces as later stages get them: validated, and with their blocks marked.
 * A trace that breaks a rule fails the test.
 */
#ifndef MARKED_TRACE_H
#define MARKED_TRACE_H

#include "trace/blocks/blocks.h"
#include "trace/validate/validate.h"
#include "unit/small_trace.h"

static inline void validate_small_trace(small_trace *trace)
{
    ser_validator *validator = ser_validator_create(trace->symbols, false);
    ser_error error;
    size_t good;
    if (ser_validator_check(validator, trace->events, trace->count, 1, &good, &error))
        fail_msg("%s", error.text);
    ser_validator_destroy(validator);
}

/* atomic: as for ser_blocks_create. */
static inline void mark_small_trace(small_trace *trace, const char *atomic)
{
    ser_blocks *blocks;
    ser_error error;
    assert_int_equal(ser_blocks_create(&blocks, atomic, trace->symbols, &error), SER_OK);
    while (ser_blocks_wants_survey(blocks)) {
        (void)ser_blocks_survey(blocks, trace->events, trace->count);
        ser_blocks_end_survey(blocks);
    }
    ser_blocks_mark(blocks, trace->events, trace->count);
    ser_blocks_destroy(blocks);
}

static inline small_trace marked_trace_of(const char *text)
{
    small_trace trace = small_trace_of(text);
    validate_small_trace(&trace);
    mark_small_trace(&trace, NULL);
    return trace;
}

#endif
