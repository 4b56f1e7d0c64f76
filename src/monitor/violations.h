/* SPDX-License-Identifier: MIT */
/*
 * violations.h - the violations that an engine reports, kept, and the cycles that
 * belong to them.
 */
#ifndef SER_MONITOR_VIOLATIONS_H
#define SER_MONITOR_VIOLATIONS_H

#include "base/vector.h"
#include "monitor/engine.h"

typedef struct ser_violations {
    SER_VECTOR(ser_violation) list; /* by event; the cycles are owned */
    bool all;                       /* set by the owner: go on after the first */
} ser_violations;

void ser_violations_fini(ser_violations *violations);

/* For ser_engine_config.report; context is the ser_violations. */
bool ser_violations_keep(void *context, const ser_violation *violation);

/*
 * Gives each violation without a cycle one from `named` that was closed by then: that of the same
 * block, else one that the block lies on, rotated so that it starts there. Without any it stays as
 * it is.
 */
void ser_violations_find_cycle(const ser_violations *named, ser_violation *violation);

#endif
