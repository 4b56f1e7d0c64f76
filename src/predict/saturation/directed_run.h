/* SPDX-License-Identifier: MIT */
/*
 * directed_run.h - a run of just what a closure demands.
 *
 * The demanded steps are taken in an order that keeps to the closure's arrows, as observed where
 * these leave a choice, and no write comes between a write and a demanded read that is to see it.
 * Nothing is undone: after a wrong choice the run stalls.
 */
#ifndef SER_PREDICT_SATURATION_DIRECTED_RUN_H
#define SER_PREDICT_SATURATION_DIRECTED_RUN_H

#include "predict/saturation/closure.h"
#include "predict/task/machine.h"

typedef struct ser_directed_run {
    ser_machine *machine;
    uint32_t *readers; /* by step: demanded reads, not taken yet, that are to see it */
    uint32_t *waiting; /* by variable: those of what it held at the start */
} ser_directed_run;

void ser_directed_run_init(ser_directed_run *run, const ser_task *task);
void ser_directed_run_fini(ser_directed_run *run);

/* True if the run got to its end and violates the block: it is in run->machine->log.
 * O(steps * threads^2) at worst. */
bool ser_directed_run_take(ser_directed_run *run, const ser_closure *closure);

/* The same, but whatever it violates, it goes on to the end. */
bool ser_directed_run_take_all(ser_directed_run *run, const ser_closure *closure);

#endif
