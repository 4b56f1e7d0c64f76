/* SPDX-License-Identifier: MIT */
/*
 * guard_expression.h - a value on the way from a load to its uses, as an expression over the load.
 */
#ifndef SER_INSTRUMENT_GUARDS_GUARD_EXPRESSION_H
#define SER_INSTRUMENT_GUARDS_GUARD_EXPRESSION_H

#include "instrument/guards/carried.h"

enum { SER_DEEPEST_GUARD = 24 };

/* An operation with a constant, or of one operand; "v" at first. */
typedef struct ser_guard_expression {
    char text[SER_FOLLOWED_SIZE];
    unsigned depth;
    bool tells_apart; /* injective: different values have different results */
    bool is_moved;    /* it went on under another name: what was known at the load may be old */
    const ser_carried *carried; /* what it is about, instead of the load alone */
    bool is_copied;             /* with it: under a name that may have what an earlier round left */
} ser_guard_expression;

/* The expression, with what is done to it; false if it is too long. `loses`: the result may be the
 * same for different values. */
bool ser_guard_extend(ser_guard_expression *to, const ser_guard_expression *from,
                      const char *before, const char *after, bool loses);

/* Is a case of the switch, which is its `at`-th operand, the first that leads where it leads, and
 * not where all others lead? */
bool ser_switch_is_first(LLVMValueRef branch, unsigned at);

/* Is the value, which is looked at, one of the cases that lead to the same place? */
bool ser_switch_express(const ser_unit *unit, LLVMValueRef branch, unsigned first,
                        const ser_guard_expression *as, ser_guard_expression *one_of);

#endif
