/* SPDX-License-Identifier: MIT */
/*
 * rules.h - orders that follow from others.
 *
 * In every run that is as the closure demands:
 *   - a write w of x that comes before an unbroken read of x that accepts only its source, s,
 *     comes before s; one that comes after s comes after the read; a read of what
 *     was there at the start comes before all writes;
 *   - of two critical sections of one lock, not both shared, the one that begins
 *     before the other ends is over before the other begins; it does end, therefore;
 *   - a wait of a notify's clear list comes after the notify, or the step after the
 *     wait comes before it;
 *   - whatever comes before an unspoiled step is not changed.
 * A section of the block's thread that is open at the end of the run ends there. One of
 * another thread may end without being asked to: it is only known to begin.
 */
#ifndef SER_PREDICT_SATURATION_RULES_H
#define SER_PREDICT_SATURATION_RULES_H

#include "predict/saturation/closure.h"
#include "predict/saturation/sections.h"
#include "predict/task/lanes.h"

typedef struct ser_rules {
    const ser_lanes *lanes;
    const ser_sections *sections;
    SER_VECTOR(uint32_t) variables; /* that several threads access and one writes */
    SER_VECTOR(uint32_t) notifies;  /* steps with a clear list, by thread */
    SER_VECTOR(uint32_t) unspoiled; /* steps that are */
} ser_rules;

void ser_rules_init(ser_rules *rules, const ser_lanes *lanes, const ser_sections *sections,
                    const ser_task *task);
void ser_rules_fini(ser_rules *rules);

/* Applies the rules until nothing new follows, or the closure is impossible. */
void ser_rules_apply(const ser_rules *rules, ser_closure *closure);

#endif
