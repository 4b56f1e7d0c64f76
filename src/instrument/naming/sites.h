/* SPDX-License-Identifier: MIT */
/*
 * sites.h - the records by which inserted calls name their place in the source
 * (ser_abi_site), made of debug information.
 */
#ifndef SER_INSTRUMENT_NAMING_SITES_H
#define SER_INSTRUMENT_NAMING_SITES_H

#include "instrument/unit.h"

/* A new site for an instruction: where it came from, the innermost inlined function
 * that is not a mere wrapper of the C++ library. `name` is what it accesses; NULL: unknown. */
LLVMValueRef ser_site_of_instruction(ser_unit *unit, LLVMValueRef instruction, const char *name);

/* Adds SER_ABI_SITE_* to what a site says. */
void ser_site_add_flags(ser_unit *unit, LLVMValueRef site, unsigned flags);

/* Says what the value that is read at a site decides (contract/guards.def). */
void ser_site_set_guards(ser_unit *unit, LLVMValueRef site, const char *guards);

/* A new site for a function: where it is defined. */
LLVMValueRef ser_site_of_function(ser_unit *unit, LLVMValueRef function);

/* The parts of such a site, for calls that take them one by one. */
typedef struct ser_site_place {
    LLVMValueRef file, function; /* constant texts */
    unsigned line, column;
} ser_site_place;

ser_site_place ser_site_place_of_function(ser_unit *unit, LLVMValueRef function);

/* Is the function of a header that comes with the compiler or the system? */
bool ser_is_of_system(LLVMValueRef function);

#endif
