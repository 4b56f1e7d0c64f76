/* SPDX-License-Identifier: MIT */
/*
 * checker_guards.h - inside of the checker: do the guards of a read let it get another value?
 *
 * Works on the text of the trace (docs/text-format.md), word by word, and shares nothing with what
 * predicts by guards.
 */
#ifndef SER_WITNESS_CHECKER_GUARDS_H
#define SER_WITNESS_CHECKER_GUARDS_H

#include <stdbool.h>
#include <stdint.h>

/* Has each expression of the text a result for both values, and the same one? */
bool ser_checker_guards_agree(const char *text, uint64_t value, uint64_t other);

#endif
