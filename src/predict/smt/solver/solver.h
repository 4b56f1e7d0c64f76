/* SPDX-License-Identifier: MIT */
/*
 * solver.h - what solves formulas: Z3 in this process, or any SMT-LIB 2 solver as a
 * child process.
 *
 * Both keep to options->deadline, ->stop and ->memory. Both may be used by several
 * threads at once, and neither takes the process down when the solver fails.
 */
#ifndef SER_PREDICT_SMT_SOLVER_SOLVER_H
#define SER_PREDICT_SMT_SOLVER_SOLVER_H

#include "predict/search.h"
#include "predict/smt/formula/model.h"
#include "predict/smt/formula/smtlib.h"

typedef struct ser_solution {
    ser_outcome outcome; /* SER_VIOLATED: the formula can be satisfied, the model shows how */
    ser_reason reason;   /* of SER_UNKNOWN */
} ser_solution;

/* The model must have been initialised for the formula. */
ser_solution ser_solve_with_z3(const ser_formula *formula, const ser_search_options *options,
                               ser_smt_model *model);

/* text: the formula by ser_smtlib_write. */
ser_solution ser_solve_with_child(const ser_formula *formula, const ser_text *text,
                                  const ser_search_options *options, ser_smt_model *model);

#endif
