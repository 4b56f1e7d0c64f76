/* SPDX-License-Identifier: MIT */
/*
 * fixed.h - stores of values that have nothing to do with what is read as data only (flows.h).
 *
 * Where the value of such a read goes within this module is known from following it. It may come
 * from another module only through the body of a function that both have, as inline functions of
 * C++ are, since the linker keeps one of them: by a parameter, and not by one that is a pointer.
 */
#ifndef SER_INSTRUMENT_ACCESSES_FIXED_H
#define SER_INSTRUMENT_ACCESSES_FIXED_H

#include "instrument/accesses/locality.h"

/* May callers of other modules run this module's body of the function, or this one theirs? */
bool ser_shares_body(LLVMValueRef function);

/* Is what is stored computed without parameters that may bring such a value from elsewhere? */
bool ser_stores_own_value(ser_unit *unit, ser_locality *locality, LLVMValueRef store);

#endif
