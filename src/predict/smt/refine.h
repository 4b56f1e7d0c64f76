/* SPDX-License-Identifier: MIT */
/*
 * refine.h - values for the solver: what a model of the formula says is executed, and what cannot
 * be with the values that it would have is taken out of the formula.
 *
 * The formula of a task with values (values/task_values.h) has its bounds: all orders in which
 * reads get writes that they might accept. Which value a read gets follows from the writes that it,
 * and the reads that those were computed from, have got. So one clause is enough to take out all
 * orders in which a step fails for the same reason: not all of these reads get these writes, or the
 * step does not happen.
 */
#ifndef SER_PREDICT_SMT_REFINE_H
#define SER_PREDICT_SMT_REFINE_H

#include "predict/smt/encode/encoding.h"

typedef enum ser_refined {
    SER_REFINED_HOLDS, /* the order happens with its values, and violates the block */
    SER_REFINED_TAKEN, /* it does not: a clause was added */
    SER_REFINED_LOST,  /* it does not, for an unknown reason */
} ser_refined;

/* Of the order that the answer has, by that model. */
ser_refined ser_refine(ser_encoding *encoding, const ser_smt_model *model,
                       const ser_answer *answer);

#endif
