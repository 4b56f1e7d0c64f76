/* SPDX-License-Identifier: MIT */
/* called_block.h - a small run with a single block, which is the call of one function. */
#ifndef CALLED_BLOCK_H
#define CALLED_BLOCK_H

#include "unit/marked_trace.h"
#include "unit/small_run.h"

typedef struct subject {
    small_trace trace;
    ser_run *run;
} subject;

/* The first event opens the only block, which is one function's call. */
static inline subject open_subject(const char *text)
{
    subject s = {.trace = small_trace_of(text)};
    validate_small_trace(&s.trace);
    s.trace.events[0].flags |= SER_EVENT_OPENS;
    s.run = small_run_of(&s.trace);
    s.run->blocks.items[0].kind = SER_BLOCK_CALL;
    return s;
}

static inline void close_subject(subject *s)
{
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

#endif
