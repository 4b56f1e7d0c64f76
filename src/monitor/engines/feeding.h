/* SPDX-License-Identifier: MIT */
/*
 * feeding.h - inside of engines: how far one is in the trace, and whether it goes on.
 */
#ifndef SER_MONITOR_ENGINES_FEEDING_H
#define SER_MONITOR_ENGINES_FEEDING_H

#include "monitor/engine.h"

typedef struct ser_feeding {
    ser_engine_config config;
    uint64_t number; /* of the current event */
    bool stopped;    /* by the receiver of the reports, or because time is up */
} ser_feeding;

static inline void ser_feeding_report(ser_feeding *feeding, const ser_violation *violation)
{
    feeding->stopped = !feeding->config.report(feeding->config.context, violation);
}

/* The loop of ser_engine.feed. It is inlined, and process is a constant, so that the call is
 * direct. */
static inline __attribute__((always_inline)) bool
ser_feeding_each(ser_feeding *feeding, const ser_event *events, size_t count, uint64_t first,
                 void (*process)(void *engine, const ser_event *event), void *engine)
{
    for (size_t i = 0; i < count && !feeding->stopped; i++) {
        if (!ser_op_takes_part((ser_op)events[i].op))
            continue;
        feeding->number = first + i;
        process(engine, &events[i]);
    }
    return !feeding->stopped;
}

#endif
