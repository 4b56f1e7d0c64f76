/* SPDX-License-Identifier: MIT */
/*
 * small_run.h - a small trace as a run in memory.
 */
#ifndef SMALL_RUN_H
#define SMALL_RUN_H

#include "order/run.h"
#include "unit/small_trace.h"

/* The caller destroys it, before the trace, whose symbols it has. */
static inline ser_run *small_run_of(const small_trace *trace)
{
    ser_run_builder *builder = ser_run_builder_create(trace->symbols);
    ser_error error;
    assert_int_equal(ser_run_builder_add(builder, trace->events, trace->count, &error), SER_OK);
    return ser_run_builder_finish(builder);
}

/* Puts each event at a place: sites are digits, one for each event. */
static inline void place_small_trace(small_trace *trace, const char *sites)
{
    for (size_t i = 0; i < trace->count; i++)
        trace->events[i].site = ser_symbols_add_site(trace->symbols, &sites[i], 1, SER_NO_OBJECT);
}

#endif
