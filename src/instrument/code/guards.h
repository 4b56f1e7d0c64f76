/* SPDX-License-Identifier: MIT */
/*
 * guards.h - what the value of a read decides, as a text for the trace (contract/guards.def).
 *
 * The value is followed from the load through operations with constants, or with one parameter of
 * the function, through locals, and through functions that are defined here. Wherever something
 * else is done with it, or with what was computed from it, this is a guard: a branch, an address,
 * an argument, a value that is stored, or an operation that is not understood. As long as each
 * guard has the same result, nothing in the program can tell the values apart.
 */
#ifndef SER_INSTRUMENT_CODE_GUARDS_H
#define SER_INSTRUMENT_CODE_GUARDS_H

#include "instrument/unit.h"

enum { SER_GUARDS_SIZE = 512 };

/* The guards of a load. False: only an equal value is sure to lead the same way, or there are too
 * many of them. `operand` is the parameter of the function that guards call p; NULL: none. No
 * function must have been rewritten yet. */
bool ser_guards_of_load(ser_unit *unit, LLVMValueRef load, char text[SER_GUARDS_SIZE],
                        LLVMValueRef *operand);

#endif
