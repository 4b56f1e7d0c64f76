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

/* Expressions of one text, at most; operands on the stack; reads, and registers, that it names. */
enum { SER_MOST_GUARDS = 16, SER_GUARD_DEPTH = 16, SER_MOST_KEYS = 256, SER_MOST_REGISTERS = 4 };

typedef enum ser_guard_op {
#define SER_GUARD_OPERATION(symbol, name, operands) SER_GUARD_##symbol,
#include "contract/guards.def"
    SER_GUARD_VALUE,    /* what was read */
    SER_GUARD_CONSTANT, /* also the number of operations with a name, plus one */
    SER_GUARD_RESULT,   /* ends an expression */
    SER_GUARD_READ,     /* what another read had: its constant is an index of `keys` */
    SER_GUARD_REGISTER, /* what a register has: its constant is an index of `registers` */
    SER_GUARD_SET,      /* ends an expression, whose result the register has from then on */
} ser_guard_op;

typedef struct ser_guard_step {
    uint8_t op, width;
    uint64_t constant;
} ser_guard_step;

typedef struct ser_guards {
    SER_VECTOR(ser_guard_step) steps;
    size_t count;                   /* expressions */
    SER_VECTOR(uint64_t) keys;      /* of the reads that they name, each once */
    SER_VECTOR(uint64_t) registers; /* that they name, each once; a text does not set them */
    uint32_t late; /* a bit for each expression: it counts in the last round of a loop only */
} ser_guards;

/* False, and no guards: the text is malformed, too large, or of a later version. */
bool ser_guards_parse(ser_guards *guards, const char *text, size_t length);
void ser_guards_fini(ser_guards *guards);

/* The same of texts that may name reads and registers: "@17,v,sgt32" (a key of the read itself, and
 * what it makes of registers, are no part of the text). */
bool ser_guards_parse_code(ser_guards *guards, const char *text, size_t length);

/* "^1;v,0,sgt32": what comes behind it, and how many steps come before anything depends on the
 * value; 0: it does not say.
 */
const char *ser_guards_skip_delay(const char *text, unsigned *steps);

/* "<5;@17,1,add32": what comes behind it, and what the variable held before; NULL: it does not say.
 */
const char *ser_guards_skip_held(const char *text, uint64_t *held);

/* What comes behind either. */
const char *ser_guards_skip_preface(const char *text);

/* What expressions are evaluated for. */
typedef struct ser_guard_inputs {
    uint64_t value;        /* what was read */
    const uint64_t *reads; /* what each of `keys` had */
    const bool *known;     /* which of them had something; NULL: all */
} ser_guard_inputs;

/* The result of each expression; `skips` says which name a read that is not known, and have none.
 * False if another one has none. */
bool ser_guards_compute(const ser_guards *guards, const ser_guard_inputs *inputs,
                        uint64_t results[SER_MOST_GUARDS], bool skips[SER_MOST_GUARDS]);

/* The result of each expression for that value, if none names a read; false if one has none. */
bool ser_guards_evaluate(const ser_guards *guards, uint64_t value,
                         uint64_t results[SER_MOST_GUARDS]);

#endif
