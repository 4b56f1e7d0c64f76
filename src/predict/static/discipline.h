/* SPDX-License-Identifier: MIT */
/*
 * discipline.h - what keeps the transactions apart that conflict on a variable.
 *
 * By a guard: each access is made under one lock (guard.h), writes under its writer's side. By
 * order: of any two transactions with conflicting accesses of the variable, everything of one must
 * happen before anything of the other, as by fork and join. A few accesses of a guarded variable
 * may be ordered like that instead: what a thread does with it before others are there. If a few
 * others are reads without the lock, it guards the variable but for its writes against these reads.
 *
 * Accesses that are outside (outer.h) do not count.
 */
#ifndef SER_PREDICT_STATIC_DISCIPLINE_H
#define SER_PREDICT_STATIC_DISCIPLINE_H

#include "order/index.h"
#include "predict/static/guard.h"
#include "predict/static/outer.h"

typedef enum ser_discipline {
    SER_DISCIPLINE_NOT_ASKED,
    SER_DISCIPLINE_GUARD,
    SER_DISCIPLINE_GUARD_BUT_READS,
    SER_DISCIPLINE_ORDER,
    SER_DISCIPLINE_NONE,
} ser_discipline;

typedef struct ser_discipline_facts {
    const ser_run *run;
    const ser_outer *outer;
    const ser_lock_guards *guards;
    const ser_order *order; /* NULL: nothing is known of it */
    const ser_index *index; /* with an order */
    ser_meter *meter;       /* may be NULL; the answer means nothing once it is over */
} ser_discipline_facts;

/* Of a contested variable. O(accesses of it, times the threads that make them), usually far less.
 */
ser_discipline ser_discipline_of(const ser_discipline_facts *facts, uint32_t variable);

/* Must everything up to the one event happen before anything from the other one on? */
bool ser_discipline_precedes(const ser_order *order, uint32_t last, uint32_t first);

#endif
