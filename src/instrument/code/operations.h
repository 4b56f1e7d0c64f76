/* SPDX-License-Identifier: MIT */
/*
 * operations.h - operations of the compiler, in the words of contract/guards.def.
 */
#ifndef SER_INSTRUMENT_CODE_OPERATIONS_H
#define SER_INSTRUMENT_CODE_OPERATIONS_H

#include "instrument/unit.h"

/* The bits of a whole number or pointer of at most 64; 0 for all other types. */
unsigned ser_number_width(const ser_unit *unit, LLVMTypeRef type);

/* The same, and of floats and doubles. */
unsigned ser_scalar_width(const ser_unit *unit, LLVMTypeRef type);

/* Is it a known number, or the null pointer? */
bool ser_is_constant(const ser_unit *unit, LLVMValueRef value, uint64_t *number);

/* The name of an operation with two operands; NULL if there is none, or if the compiler promises
 * something about its result that the name does not say. */
const char *ser_operation_name(LLVMValueRef instruction);

/* May an operation with a constant have the same result for different operands? */
bool ser_operation_loses(LLVMValueRef instruction);

/* Is it the same number, or the same pointer, of another width or type? */
bool ser_is_cast(LLVMValueRef instruction);

/* Does it make a whole number one with a point, or the other way round, or change the kind of one
 * with a point? */
bool ser_converts(LLVMValueRef instruction);

/* Does it only compute? It cannot fail, and nothing but its result tells what it was given. */
bool ser_only_computes(LLVMValueRef instruction);

#endif
