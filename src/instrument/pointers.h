/* SPDX-License-Identifier: MIT */
/*
 * pointers.h - shared pointers that threads exchange: std::atomic of std::shared_ptr and
 * std::weak_ptr, and the functions std::atomic_load(std::shared_ptr *) and so on.
 */
#ifndef SER_INSTRUMENT_POINTERS_H
#define SER_INSTRUMENT_POINTERS_H

#include "instrument/unit.h"

/* First step: if the function is such an operation it becomes a call of the runtime, which performs
 * and records it as one. True: it was. */
bool ser_tell_pointer(ser_unit *unit, LLVMValueRef function);

/* Second step: is it such a call, which still needs its site? */
bool ser_is_pointer_call(LLVMValueRef call);
/* What the site must say besides its place (SER_ABI_SITE_*). */
unsigned ser_pointer_flags(LLVMValueRef call);

#endif
