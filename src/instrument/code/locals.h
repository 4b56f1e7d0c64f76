/* SPDX-License-Identifier: MIT */
/*
 * locals.h - local variables that hold one value at a time, and nothing else.
 */
#ifndef SER_INSTRUMENT_CODE_LOCALS_H
#define SER_INSTRUMENT_CODE_LOCALS_H

#include "instrument/unit.h"

/* Is the local only read and written, as a whole? */
bool ser_is_simple_local(LLVMValueRef local);

/* What is written into such a local, if that is done in one place only; else NULL. */
LLVMValueRef ser_only_value_of_local(LLVMValueRef local);

/* The parameter that a value is; without optimisation it is read from a local. NULL: none. */
LLVMValueRef ser_parameter_of(LLVMValueRef value);

/* The store whose value a load of a simple local has, whichever way led to it; NULL if there may be
 * several, or none. O(blocks). */
LLVMValueRef ser_store_before(LLVMValueRef load);

/* The last store into a local from an instruction backwards to the beginning of its block; NULL:
 * there is none. */
LLVMValueRef ser_store_in_block(LLVMValueRef local, LLVMValueRef from);

/* The one store whose value a simple local has at the end of a block; NULL: there may be several.
 */
LLVMValueRef ser_store_at_end(LLVMValueRef local, LLVMBasicBlockRef block);

#endif
