/* SPDX-License-Identifier: MIT */
/*
 * model.h - what a solver found out: a truth for every boolean of a formula, and a
 * place for every point.
 */
#ifndef SER_PREDICT_SMT_FORMULA_MODEL_H
#define SER_PREDICT_SMT_FORMULA_MODEL_H

#include "predict/smt/formula/formula.h"

typedef struct ser_smt_model {
    bool *truth;    /* by atom; only of booleans */
    int64_t *place; /* by point; only of points that are mentioned */
} ser_smt_model;

/* All false, all places 0. */
void ser_smt_model_init(ser_smt_model *model, const ser_formula *formula);
void ser_smt_model_fini(ser_smt_model *model);

/* Does the clause hold in the model? The model must be complete. */
bool ser_smt_model_satisfies(const ser_smt_model *model, const ser_formula *formula, size_t clause);

#endif
