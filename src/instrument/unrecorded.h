/* SPDX-License-Identifier: MIT */
/*
 * unrecorded.h - a copy of each function for runs without a recorder.
 *
 * Copies are made before anything is instrumented, and are not instrumented: they become the code
 * that clang makes without us. Calls in a copy go to copies. The function itself keeps its name and
 * address; when it is instrumented, it gets a test in front: without a recorder it jumps to its
 * copy. A run can only become certain to be unrecorded, never the opposite (contract/abi.h), so
 * that nothing in a copy is ever missing in a trace.
 *
 * docs/instrumentation.md says which functions have no copy.
 */
#ifndef SER_INSTRUMENT_UNRECORDED_H
#define SER_INSTRUMENT_UNRECORDED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is it a copy? */
bool ser_is_copy(LLVMValueRef function);

/* Is it an instruction of a copy? Such uses of a value count for nothing in recorded runs. */
bool ser_is_in_copy(LLVMValueRef user);

/* Can the function exist twice without a change of behaviour? (copyable.c) */
bool ser_is_copyable(LLVMValueRef function);

#endif
