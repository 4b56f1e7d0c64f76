/* SPDX-License-Identifier: MIT */
/*
 * variables.h - what the source calls the memory that an access touches.
 *
 * Names are the best that debug information gives: "counter" for a variable,
 * "balance of struct account" for a member, "balance of alice" for a member of
 * a variable, "*name" for what a named pointer points to.
 */
#ifndef SER_INSTRUMENT_NAMING_VARIABLES_H
#define SER_INSTRUMENT_NAMING_VARIABLES_H

#include "instrument/unit.h"

enum { SER_NAME_SIZE = 256 };

/* The local variables of a function: which value or memory is which. */
typedef struct ser_variables {
    ser_names *values; /* addresses of LLVM values */
    ser_values nodes;  /* the debug information of each */
} ser_variables;

void ser_variables_init(ser_variables *variables, LLVMValueRef function);
void ser_variables_fini(ser_variables *variables);

/* The debug information of the variable that a local or global value is, or NULL. */
LLVMValueRef ser_variable_of(const ser_unit *unit, const ser_variables *variables,
                             LLVMValueRef value);

/* The name of `size` bytes at a pointer; false if none is known. */
bool ser_name_access(ser_unit *unit, const ser_variables *variables, LLVMValueRef pointer,
                     uint64_t size, char name[SER_NAME_SIZE]);

#endif
