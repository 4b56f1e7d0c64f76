/* SPDX-License-Identifier: MIT */
/*
 * body.h - one function in the second step, and the rewriting of its
 * instructions.
 *
 * The function is scanned first: what is to be rewritten is listed with its site. Only then is
 * anything changed, so that names are looked up in the unchanged program. Each ser_rewrite_...
 * replaces one instruction by calls.
 */
#ifndef SER_INSTRUMENT_ACCESSES_BODY_H
#define SER_INSTRUMENT_ACCESSES_BODY_H

#include "instrument/accesses/flows.h"
#include "instrument/accesses/locality.h"
#include "instrument/naming/variables.h"
#include "instrument/unit.h"

typedef struct ser_body {
    ser_unit *unit;
    ser_locality *locality;
    const ser_value_flows *flows;
    LLVMValueRef function;
    ser_variables variables;
    ser_values temporaries; /* allocas for values that go through memory */
} ser_body;

/* Bytes of a value that can go by value (1, 2, 4 or 8), else 0. */
unsigned ser_value_width(const ser_unit *unit, LLVMTypeRef type);

/* A value as a whole number of its width, and back. At the builder's place. */
LLVMValueRef ser_to_number(ser_unit *unit, LLVMValueRef value);
LLVMValueRef ser_from_number(ser_unit *unit, LLVMValueRef number, LLVMTypeRef type);

/* Memory for a value of the type, in use during one access. Numbers distinguish those that one
 * access needs at the same time. */
LLVMValueRef ser_temporary(ser_body *body, LLVMTypeRef type, unsigned number);

/* A constant of the type that the ABI calls ser_abi_size. */
LLVMValueRef ser_size(const ser_unit *unit, uint64_t bytes);

/* accesses by load and store (plain.c), and atomic ones (atomics.c) */
void ser_rewrite_load(ser_body *body, LLVMValueRef load, LLVMValueRef site);
void ser_rewrite_store(ser_body *body, LLVMValueRef store, LLVMValueRef site);
void ser_rewrite_atomic(ser_body *body, LLVMValueRef access, LLVMValueRef site);

/* Makes instructions of calls of libatomic (library_atomics.c); before everything else. */
void ser_replace_library_atomics(ser_unit *unit, LLVMValueRef function);

/* Makes loads and stores of copies of small structures (cells.c); before values are followed. */
void ser_divide_copies(ser_unit *unit, ser_locality *locality, LLVMValueRef function);

/* Replaces a value and removes the instruction that made it. */
void ser_replace(LLVMValueRef instruction, LLVMValueRef value);

/* memcpy, memmove and memset, as intrinsics or as calls (ranges.c): is it one
 * with shared memory? The pointer that names it, and the size (1 if it is not known). */
bool ser_is_range(ser_body *body, LLVMValueRef call);
LLVMValueRef ser_range_pointer(ser_body *body, LLVMValueRef call);
uint64_t ser_range_size(LLVMValueRef call);
void ser_rewrite_range(ser_body *body, LLVMValueRef call, LLVMValueRef site);

/* Removes entry and exit of calls with at most one event between them (small_calls.c); after
 * everything else. */
void ser_drop_small_calls(LLVMValueRef function);

/* Lives of locals whose address escapes (locals.c). */
void ser_tell_locals(ser_body *body);

#endif
