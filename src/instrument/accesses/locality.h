/* SPDX-License-Identifier: MIT */
/*
 * locality.h - which memory can other threads not reach?
 *
 * Private is a local variable whose address is only used to access it here: never stored, passed or
 * returned; a thread-local variable of which the same holds; and what is never written. Passing the
 * address is excluded on purpose: if a callee records accesses of a variable, those made here must
 * be recorded as well.
 */
#ifndef SER_INSTRUMENT_ACCESSES_LOCALITY_H
#define SER_INSTRUMENT_ACCESSES_LOCALITY_H

#include "instrument/unit.h"

/* Results are kept, because the program changes during instrumentation: ask for every object
 * before the function that holds it is rewritten. */
typedef struct ser_locality {
    ser_names *objects; /* addresses of allocas, arguments and globals */
    SER_VECTOR(bool) escapes;
} ser_locality;

void ser_locality_init(ser_locality *locality);
void ser_locality_fini(ser_locality *locality);

/* Does the address of an alloca, argument or global leave its function? */
bool ser_escapes(ser_locality *locality, LLVMValueRef object);

/* Can no other thread access what this points to? */
bool ser_is_private(ser_locality *locality, const ser_unit *unit, LLVMValueRef pointer);

/* The pointer without casts and offsets. */
LLVMValueRef ser_strip_offsets(LLVMValueRef pointer);

/* The type that an argument of a call points to, if a copy of it is passed (byval);
 * else NULL. The same for a parameter, or any other value. */
LLVMTypeRef ser_type_passed_by_copy(LLVMValueRef call, unsigned argument);
LLVMTypeRef ser_type_of_copy(LLVMValueRef value);

/* Is the first argument of the call where its result is put? */
bool ser_returns_through_memory(LLVMValueRef call);

/* Does the load or store access the pointer to a table of virtual functions? */
bool ser_is_of_vtable(const ser_unit *unit, LLVMValueRef access);

/* Does the load, store or atomic access become a call of the runtime? */
bool ser_is_recorded(const ser_unit *unit, ser_locality *locality, LLVMValueRef access);

#endif
