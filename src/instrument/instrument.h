/* SPDX-License-Identifier: MIT */
/*
 * instrument.h - turns a module into one that calls the recorder.
 *
 * This folder is a plugin of clang (seriatim-instrument.so): plugin.cpp puts two
 * steps at the start of clang's pipeline, and what they do is written in C
 * against LLVM-C. Between the steps clang inlines and takes locals apart (SROA),
 * so that small functions that a user calls atomic are still seen, but variables
 * that live in registers are not.
 *
 * What the inserted calls mean is said by contract/abi.h; docs/instrumentation.md
 * says what is recorded and what is not. Both steps leave a module alone that
 * went through them before.
 */
#ifndef SER_INSTRUMENT_INSTRUMENT_H
#define SER_INSTRUMENT_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* First step: entry and exit of functions, and blocks of annotated functions. */
void ser_instrument_functions(LLVMModuleRef module);

/* Second step: accesses of memory, calls of code outside, lives of locals. */
void ser_instrument_accesses(LLVMModuleRef module);

/*
 * Of plugin.cpp: visits every way out of a function with a builder that stands there,
 * before a return (or the tail call that must precede it), or where an exception
 * passes through: code that catches it and throws it on is made for that.
 */
typedef void ser_exit_visitor(LLVMBuilderRef builder, void *data);
void ser_for_each_exit(LLVMValueRef function, ser_exit_visitor *visit, void *data);

/* Of plugin.cpp: a copy of a function that is only seen in the module. */
LLVMValueRef ser_clone_function(LLVMValueRef function, const char *suffix);

/* Of plugin.cpp: a number that stands directly before the code of a function. */
void ser_put_before_function(LLVMValueRef function, uint64_t number);

/* Of plugin.cpp: does the compiler promise something about the result of an operation, besides that
 * it does not overflow as a signed number? That it does not as one without sign, say. */
bool ser_promises_more(LLVMValueRef instruction);

/* Of plugin.cpp: the C++ name of a symbol, with parameters; NULL if it has none. To be
 * freed. */
char *ser_demangle(const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
