/* SPDX-License-Identifier: MIT */
/*
 * followed.h - which loads of a function are followed into what it stores.
 *
 * A store is followed if its value is an expression over constants, some parameters, and loads of
 * the same function that are followed, too; a load, if all else that its value reaches are guards
 * (guards.h). In the trace each followed load has a key, a number of its own, by which the
 * expressions of stores and of guards over several loads name it: the thread's last read with that
 * key. That is the right one, since the value of an instruction is that of its last execution, as
 * long as the function is not entered again before it is used (reentry.h).
 *
 * An atomic update is both: a load of what it returns, and a store of "v,1,wadd32".
 *
 * Of one function at a time; it must not have been rewritten yet.
 */
#ifndef SER_INSTRUMENT_CODE_FOLLOWED_H
#define SER_INSTRUMENT_CODE_FOLLOWED_H

#include "instrument/accesses/locality.h"
#include "instrument/instrument.h"
#include "instrument/unit.h"

enum {
    SER_FOLLOWED_SIZE = 480, /* of the text of an expression */
    SER_MOST_OPERANDS = 3
};

/* The values that a text calls p, P and Q: parameters, or whatever is computed before the access
 * and does not change with what followed loads have read (steady.h); a local stands for what it
 * holds. */
typedef struct ser_operands {
    LLVMValueRef items[SER_MOST_OPERANDS];
    unsigned count;
} ser_operands;

/* The letter of a value, which is added if it is new; 0: there are too many. (operations.c) */
char ser_operands_letter(ser_operands *operands, LLVMValueRef value);

/* Drops the last ones that the text does not name. */
void ser_operands_trim(ser_operands *operands, const char *text);

typedef struct ser_followed_store {
    LLVMValueRef store;
    ser_operands operands; /* of the text */
    char text[SER_FOLLOWED_SIZE];
} ser_followed_store;

struct ser_carried;

typedef struct ser_followed {
    ser_unit *unit;
    LLVMValueRef function;
    SER_VECTOR(LLVMValueRef) loads; /* of recorded memory */
    SER_VECTOR(uint64_t) keys;      /* of each; 0: it is not followed */
    SER_VECTOR(ser_followed_store) stores;
    SER_VECTOR(struct ser_carried) carried; /* from round to round of a loop (carried.h) */
    ser_dominance *dominance;               /* of the function */
} ser_followed;

/* None of a function that is too large, or may be entered again. */
void ser_followed_init(ser_followed *followed, ser_unit *unit, ser_locality *locality,
                       LLVMValueRef function);
void ser_followed_fini(ser_followed *followed);

/* 0: it is not followed. */
uint64_t ser_followed_key(const ser_followed *followed, LLVMValueRef load);

/* Is the store followed, and does the load take part in its value? */
bool ser_followed_stores(const ser_followed *followed, LLVMValueRef store, LLVMValueRef load);

/* Does the value, which is computed from the load, go nowhere but into such stores? */
bool ser_followed_only_stores(const ser_followed *followed, LLVMValueRef value, LLVMValueRef load);

/* An expression, and what it is about. */
typedef struct ser_expression {
    char text[SER_FOLLOWED_SIZE];
    size_t length;
    ser_operands operands;
    LLVMValueRef access; /* before which the operands are recorded; NULL: parameters only */
    unsigned loads, depth;
    const struct ser_carried *sets; /* it says what a round makes of this value */
    bool is_late;                   /* what was known at the access may be old where it is used */
} ser_expression;

/* Appends to the text; false if it is too long. */
bool ser_expression_write(ser_expression *to, const char *format, ...);

/* Appends the value. */
bool ser_express_part(ser_expression *to, const ser_followed *followed, LLVMValueRef value);

/* The value as an expression over followed loads, of which there must be one at least; `operands`
 * are those that the text of the access has so far, NULL: none. (expressions.c) */
bool ser_express(ser_expression *expression, const ser_followed *followed, LLVMValueRef value,
                 LLVMValueRef access, const ser_operands *operands);

/* The same of a value that is used some time after the access: constants, parameters and loads. */
bool ser_express_late(ser_expression *expression, const ser_followed *followed, LLVMValueRef value,
                      LLVMValueRef access, const ser_operands *operands);

/* The same without any load. */
bool ser_express_operand(ser_expression *expression, const ser_followed *followed,
                         LLVMValueRef value, LLVMValueRef access, const ser_operands *operands);

/* What an atomic update makes of the value v that it finds. */
bool ser_express_update(ser_expression *expression, const ser_followed *followed,
                        LLVMValueRef update, const ser_operands *operands);

/* The text of the store; "" if it is none, or not followed. */
const ser_followed_store *ser_followed_store_of(const ser_followed *followed, LLVMValueRef store);

/* Does the call give the larger or smaller of two numbers, or one without its sign? (expressions.c)
 */
bool ser_is_extreme(LLVMValueRef call);

/* The key, which stands in the text once, becomes v. (words.c) */
void ser_expression_name_value(char *text, uint64_t key);

/* Does the text name the key? */
bool ser_expression_names(const char *text, uint64_t key);

#endif
