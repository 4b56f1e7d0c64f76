/* SPDX-License-Identifier: MIT */
/*
 * arithmetic.h - operations on numbers of 1 to 64 bits, as the compiler defines them.
 */
#ifndef SER_SYMBOLIC_ARITHMETIC_H
#define SER_SYMBOLIC_ARITHMETIC_H

#include "symbolic/guards.h"

/* False: there is no result. Sums, differences, products and shifts to the left have none where
 * they overflow as signed numbers, since the text does not say whether the program may overflow
 * there. Operations with one operand ignore b. */
bool ser_compute(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result);

#endif
