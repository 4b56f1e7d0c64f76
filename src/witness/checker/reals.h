/* SPDX-License-Identifier: MIT */
/*
 * checker/reals.h - inside of the checker: operations on floats and doubles in expressions, by
 * their names (contract/guards.def).
 */
#ifndef SER_WITNESS_CHECKER_REALS_H
#define SER_WITNESS_CHECKER_REALS_H

#include <stdbool.h>
#include <stdint.h>

/* How many operands it has; 0: it is none of these operations. */
unsigned ser_checker_real_operands(const char *name);

/* False: there is no result. With one operand, it is b. */
bool ser_checker_real(const char *name, unsigned width, uint64_t a, uint64_t b, uint64_t *result);

#endif
