/* SPDX-License-Identifier: MIT */
/*
 * instrument.h - turns a module into one that calls the recorder.
 *
 * This folder is a plugin of clang (seriatim-instrument.so): plugin.cpp puts two steps at the start
 * of clang's pipeline, and what they do is written in C against LLVM-C. Between the steps clang
 * inlines and takes locals apart (SROA), so that small functions that a user marks as atomic are
 * still seen, but variables that live in registers are not.
 *
 * What the inserted calls mean is said by contract/abi.h; docs/instrumentation.md says what is
 * recorded and what is not. Both steps skip a module that went through them before.
 */
#ifndef SER_INSTRUMENT_INSTRUMENT_H
#define SER_INSTRUMENT_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before the first step: a copy of each function, for runs without a recorder (unrecorded.h). */
void ser_copy_functions(LLVMModuleRef module);

/* First step: entry and exit of functions, and blocks of annotated functions. */
void ser_instrument_functions(LLVMModuleRef module);

/* Before the second step: small functions that must not be inlined, in the place of their calls. */
void ser_inline_small_functions(LLVMModuleRef module);

/* Second step: accesses of memory, calls of code outside, lives of locals. */
void ser_instrument_accesses(LLVMModuleRef module);

/* After the second step: each function that has a copy jumps to it in runs without a recorder. */
void ser_choose_copies(LLVMModuleRef module);

/* After clang's optimisation: calls of functions that another object may replace go through the
 * linker again. */
void ser_leave_calls_to_others(LLVMModuleRef module);

/*
 * Of plugin.cpp: visits every exit of a function with a builder placed there, before a return (or
 * the tail call that must precede it), or where an exception passes through: code that catches it
 * and throws it on is made for that.
 */
typedef void ser_exit_visitor(LLVMBuilderRef builder, void *data);
void ser_for_each_exit(LLVMValueRef function, ser_exit_visitor *visit, void *data);

/* Of plugin.cpp: a copy of a function that is only seen in the module. */
LLVMValueRef ser_clone_function(LLVMValueRef function, const char *suffix);

/* Of plugin.cpp: removes all code of a function, which keeps everything else. */
void ser_empty_function(LLVMValueRef function);

/* Of plugin.cpp: a number that stands directly before the code of a function. */
void ser_put_before_function(LLVMValueRef function, uint64_t number);

/* Of plugin.cpp: does the compiler promise something about the result of an operation, besides that
 * it does not overflow as a signed number? That it does not as one without sign, say. */
bool ser_promises_more(LLVMValueRef instruction);

/* Of plugin.cpp: a sum, difference, product or shift to the left of which the compiler promises
 * nothing: what does not fit is cut off. */
bool ser_wraps_around(LLVMValueRef instruction);

/* Of plugin.cpp: which instructions of a function have been executed whenever another one is. */
typedef struct ser_dominance ser_dominance;
ser_dominance *ser_dominance_create(LLVMValueRef function);
void ser_dominance_destroy(ser_dominance *dominance);
bool ser_dominates(const ser_dominance *dominance, LLVMValueRef instruction, LLVMValueRef later);

/* Of plugin.cpp: the C++ name of a symbol, with parameters; NULL if it has none. To be
 * freed. */
char *ser_llvm_demangle(const char *symbol);

/*
 * Of copies.cpp, for copies of functions. Of a function:
 *
 * ser_copy_beside: a copy that is found wherever the function is.
 * ser_begin_with_jump: jumps to the copy if the flag, a byte of that name, is set; returns the
 *     function that has the body now.
 * ser_is_interposable: may the linker take another one of its name, which does something else?
 * ser_is_preemptible: may another object have one of its name that is called instead?
 * ser_has_labels_outside: are its labels in data that cannot be copied?
 * ser_is_tied_to_group: is it only seen in a group of sections that may be dropped?
 * ser_can_hand_on_arguments: can all of its arguments be given to another?
 */
LLVMValueRef ser_copy_beside(LLVMValueRef function, const char *suffix);
LLVMValueRef ser_begin_with_jump(LLVMValueRef function, LLVMValueRef copy, const char *flag);
bool ser_is_interposable(LLVMValueRef global);
bool ser_is_preemptible(LLVMValueRef global);
bool ser_has_labels_outside(LLVMValueRef function);
bool ser_is_tied_to_group(LLVMValueRef function);
bool ser_can_hand_on_arguments(LLVMValueRef function);

/* Of inlining.cpp: puts small functions that are accepted in the place of their calls in that
 * function. */
typedef bool ser_function_filter(LLVMValueRef function, void *data);
void ser_inline_into(LLVMValueRef function, ser_function_filter *accepts, void *data);

/* Of copies.cpp: the text of inline assembly, to be freed. */
char *ser_assembly_text(LLVMValueRef assembly);

#ifdef __cplusplus
}
#endif

#endif
