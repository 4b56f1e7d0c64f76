/* SPDX-License-Identifier: MIT */
/*
 * guards.h - what a read's value decides: expressions over it (contract/guards.def), and their
 * results.
 *
 * Two values that give each guard the same result lead a thread through the same steps, in which
 * it stores the same values: docs/algorithms/guards.md. A text is translated once to a row of
 * instructions for a machine with a small stack. Read-only once parsed.
 */
#ifndef SER_SYMBOLIC_GUARDS_H
#define SER_SYMBOLIC_GUARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

/* Expressions of one text, at most; operands on the stack. */
enum { SER_MOST_GUARDS = 16, SER_GUARD_DEPTH = 8 };

typedef enum ser_guard_op {
#define SER_GUARD_OPERATION(symbol, name, operands) SER_GUARD_##symbol,
#include "contract/guards.def"
    SER_GUARD_VALUE,    /* what was read */
    SER_GUARD_CONSTANT, /* also the number of operations with a name, plus one */
    SER_GUARD_RESULT,   /* ends an expression */
} ser_guard_op;

typedef struct ser_guard_step {
    uint8_t op, width;
    uint64_t constant;
} ser_guard_step;

typedef struct ser_guards {
    SER_VECTOR(ser_guard_step) steps;
    size_t count; /* expressions */
} ser_guards;

/* False, and no guards: the text is malformed, too large, or of a later version. */
bool ser_guards_parse(ser_guards *guards, const char *text, size_t length);
void ser_guards_fini(ser_guards *guards);

/* The result of each expression for that value; false if one has none. */
bool ser_guards_evaluate(const ser_guards *guards, uint64_t value,
                         uint64_t results[SER_MOST_GUARDS]);

#endif
