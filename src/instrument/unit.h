/* SPDX-License-Identifier: MIT */
/*
 * unit.h - the module being instrumented, with what every part of the instrumenter needs: types,
 * calls of the runtime, texts, and queries that take several lines of LLVM-C.
 *
 * A unit lives for one step over one module. Not thread-safe.
 */
#ifndef SER_INSTRUMENT_UNIT_H
#define SER_INSTRUMENT_UNIT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/vector.h"

typedef SER_VECTOR(LLVMValueRef) ser_values;

struct ser_types;

typedef struct ser_unit {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout; /* borrowed from the module */
    LLVMBuilderRef builder;
    LLVMTypeRef none, i1, i8, i16, i32, i64, pointer, site;
    unsigned debug_kind, tbaa_kind;
    ser_names *texts; /* of constants, whose values are in text_values */
    ser_values text_values;
    ser_names *scopes; /* addresses of debug info scopes, with their names below */
    ser_values scope_texts;
    ser_names *declared;        /* addresses of functions that are defined elsewhere */
    SER_VECTOR(bool) stay_away; /* by number: it calls nothing back (code/reentry.h) */
    struct ser_types *types;    /* NULL until a member's name is asked for */
} ser_unit;

void ser_unit_init(ser_unit *unit, LLVMModuleRef module);
void ser_unit_fini(ser_unit *unit);

/* A constant pointer to the text; equal texts share one. NULL gives null. */
LLVMValueRef ser_unit_text(ser_unit *unit, const char *text);

/*
 * Calls a function of contract/abi.h by its name at the builder's place. Pointers
 * among the arguments may be of any type. A name that is not in
 * contract/abi.def is a bug.
 */
LLVMValueRef ser_unit_call(ser_unit *unit, const char *name, LLVMValueRef *arguments,
                           unsigned count);
#define SER_CALL(unit, name, ...)                                                                  \
    ser_unit_call(unit, name, (LLVMValueRef[]){__VA_ARGS__},                                       \
                  sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

/* Does the text start with the prefix? */
bool ser_starts_with(const char *text, const char *prefix);

/* The function called, if it is named in the call; else NULL. */
LLVMValueRef ser_called_function(LLVMValueRef call);

/* Its name, or "" for calls through pointers and of inline assembly. */
const char *ser_called_name(LLVMValueRef call);

/* Has the function this attribute (LLVM's spelling, of either kind)? */
bool ser_has_attribute(LLVMValueRef function, const char *name);

/* Removes attributes about the memory that the function, or a call, accesses: our calls access
 * more (promises.c). */
void ser_drop_promises_of_function(LLVMValueRef function);
void ser_drop_promises_of_call(LLVMValueRef call);

/* Are all calls of the function in this module? Calls in copies for runs without a recorder are
 * none. */
bool ser_has_known_callers(LLVMValueRef function);

/* Must the next instruction but casts be a return (musttail)? */
bool ser_must_tail(LLVMValueRef call);

/* Is this a function whose body we may change? False for declarations, naked
 * functions, bodies that are here for inlining only, resolvers of ifuncs, which
 * run before calls work, and the runtime's own. */
bool ser_may_instrument(ser_unit *unit, LLVMValueRef function);

/* Where instructions at the start of a function go: behind the allocas. */
LLVMValueRef ser_first_instruction(LLVMValueRef function);

/* The place after a call; NULL if other paths lead there, too. */
LLVMValueRef ser_place_after(LLVMValueRef call);

/* Does the global annotation (attribute annotate) stand at the function? */
bool ser_is_annotated(ser_unit *unit, LLVMValueRef function, const char *annotation);

/* Notes in the module that a step was done; false if it had been before, or if it is
 * for a machine that our runtime is not for (addresses of 64 bits). */
bool ser_unit_claim(LLVMModuleRef module, const char *step);

#endif
