/* SPDX-License-Identifier: MIT */
/*
 * fields.h - members of structures, from debug information.
 */
#ifndef SER_INSTRUMENT_NAMING_FIELDS_H
#define SER_INSTRUMENT_NAMING_FIELDS_H

#include "instrument/unit.h"

/* The member at an offset in bytes of a type (debug information), "inner.x" where
 * it lies in a nameless one; false if none is there. */
bool ser_field_of_node(LLVMValueRef type, uint64_t offset, uint64_t size, char *path, size_t room);

/* The same for a structure of LLVM. */
bool ser_field_of_structure(ser_unit *unit, LLVMTypeRef structure, uint64_t offset, uint64_t size,
                            char *path, size_t room);

/* What the source calls a structure of LLVM: "struct account". */
void ser_name_structure(LLVMTypeRef structure, char *name, size_t room);

#endif
