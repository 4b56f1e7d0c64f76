/* SPDX-License-Identifier: MIT */
/*
 * The public interface to read a trace: the events of trace.h's batches one by one, with names
 * beside the numbers.
 */
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include <seriatim/seriatim.h>

struct seriatim_trace {
    ser_trace *trace;
    ser_batch batch;
    size_t next; /* in the batch */
    ser_error problem;
};

seriatim_trace *seriatim_trace_open(const char *path, char *message, size_t size)
{
    seriatim_trace *trace = ser_alloc(1, sizeof *trace);
    ser_trace_options options = {.atomic = NULL};
    if (ser_trace_open(&trace->trace, path, &options, &trace->problem) == SER_OK)
        return trace;
    if (message && size)
        snprintf(message, size, "%s", trace->problem.text);
    seriatim_trace_close(trace);
    return NULL;
}

void seriatim_trace_close(seriatim_trace *trace)
{
    if (!trace)
        return;
    ser_trace_close(trace->trace);
    free(trace);
}

static void describe(const seriatim_trace *trace, const ser_event *from, seriatim_event *to)
{
    const ser_symbols *symbols = ser_trace_symbols(trace->trace);
    ser_space space = ser_op_space((ser_op)from->op);
    *to = (seriatim_event){
        .number = trace->batch.first + trace->next,
        .op = (seriatim_op)from->op,
        .thread = from->thread,
        .object = from->object == SER_NO_OBJECT ? SERIATIM_NO_OBJECT : from->object,
        .thread_name = ser_symbols_whole_name(symbols, SER_SPACE_THREAD, from->thread).text,
        .object_name = ser_symbols_whole_name(symbols, space, from->object).text,
        .location = ser_symbols_whole_location(symbols, from->site).text,
    };
}

int seriatim_trace_next(seriatim_trace *trace, seriatim_event *event)
{
    if (trace->problem.status != SER_OK)
        return -1;
    if (trace->next == trace->batch.count) {
        trace->next = 0;
        if (ser_trace_next(trace->trace, &trace->batch, &trace->problem) != SER_OK)
            return -1;
        if (trace->batch.count == 0)
            return 0;
    }
    describe(trace, &trace->batch.events[trace->next], event);
    trace->next++;
    return 1;
}

const char *seriatim_trace_problem(const seriatim_trace *trace)
{
    return trace->problem.text;
}
