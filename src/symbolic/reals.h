/* SPDX-License-Identifier: MIT */
/*
 * reals.h - operations on numbers with a point, given as the bits of a float or a double.
 */
#ifndef SER_SYMBOLIC_REALS_H
#define SER_SYMBOLIC_REALS_H

#include "symbolic/guards.h"

/* Is it one of these operations? */
bool ser_is_of_reals(ser_guard_op op);

/* False: there is no result. That is so of what is not a number, whose bits no rule fixes, and of
 * conversions of what does not fit. */
bool ser_compute_real(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result);

#endif
