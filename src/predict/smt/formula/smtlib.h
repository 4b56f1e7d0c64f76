/* SPDX-License-Identifier: MIT */
/*
 * smtlib.h - a formula as SMT-LIB 2 text, and a solver's values back from it.
 *
 * With integers the logic is QF_IDL, and all its atoms have the form (< x1 x2), which
 * every solver of that logic accepts; with bit-vectors it is QF_BV.
 * Names: x7 is the point of the step numbered 7, h7 says that it happens, w7 and u7
 * that it is not broken, r7 that it (or the transaction that starts there) is reached;
 * a7 is a helper.
 */
#ifndef SER_PREDICT_SMT_FORMULA_SMTLIB_H
#define SER_PREDICT_SMT_FORMULA_SMTLIB_H

#include "predict/smt/formula/model.h"
#include "predict/task/task.h"

typedef SER_VECTOR(char) ser_text;

/* Declarations, assertions, (check-sat). Comments say which step of the task has which
 * number: point[step]. */
void ser_smtlib_write(ser_text *text, const ser_task *task, const uint32_t *point,
                      const ser_formula *formula, bool bits);

/* The question for all that a model holds. */
void ser_smtlib_ask_values(ser_text *text, const ser_formula *formula);

/* Reads the answer. False if a value is missing or is none. */
bool ser_smtlib_read_values(const char *answer, const ser_formula *formula, ser_smt_model *model);

/* Bits that hold a place for every point mentioned. */
unsigned ser_smtlib_bits(const ser_formula *formula);

/* Adds to the text. */
void ser_text_print(ser_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
