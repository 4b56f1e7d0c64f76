/* SPDX-License-Identifier: MIT */
/*
 * small_trace.h - events for unit tests, written down as in text traces.
 *
 *     small_trace t = small_trace_of("T1|begin T1|r(x) T1|end");
 *     ... t.events, t.count, t.symbols ...
 *     small_trace_free(&t);
 *
 * Blanks separate events; a + behind an access joins it to the next, a ! before that makes it
 * late. No reader is involved, so that tests of what comes after reading fail for their own
 * reasons only.
 */
#ifndef SMALL_TRACE_H
#define SMALL_TRACE_H

#include <string.h>

#include "base/status.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct small_trace {
    ser_symbols *symbols;
    ser_event events[128];
    size_t count;
} small_trace;

static inline void small_trace_add(small_trace *trace, const char *text, size_t length)
{
    bool joined = text[length - 1] == '+';
    length -= joined;
    bool late = text[length - 1] == '!';
    length -= late;
    const char *bar = memchr(text, '|', length);
    ser_check(bar && trace->count < sizeof trace->events / sizeof *trace->events);
    const char *operation = bar + 1;
    const char *end = text + length;
    const char *operand = memchr(operation, '(', (size_t)(end - operation));
    ser_op op = ser_op_by_name(operation, (size_t)((operand ? operand : end) - operation));
    ser_check(op != SER_OP_COUNT);
    ser_event *event = &trace->events[trace->count++];
    *event = (ser_event){.op = (uint8_t)op, .site = SER_NO_SITE, .object = SER_NO_OBJECT};
    event->flags = (joined ? SER_EVENT_JOINED : 0) | (late ? SER_EVENT_LATE : 0);
    event->thread = ser_symbols_add(trace->symbols, SER_SPACE_THREAD, text, (size_t)(bar - text));
    if (operand)
        event->object = ser_symbols_add(trace->symbols, ser_op_space(op), operand + 1,
                                        (size_t)(end - operand) - 2);
}

static inline small_trace small_trace_of(const char *text)
{
    small_trace trace = {.symbols = ser_symbols_create()};
    while (*(text += strspn(text, " ")) != '\0') {
        size_t length = strcspn(text, " ");
        small_trace_add(&trace, text, length);
        text += length;
    }
    return trace;
}

static inline void small_trace_free(small_trace *trace)
{
    ser_symbols_destroy(trace->symbols);
}

#endif
