/* SPDX-License-Identifier: MIT */
/* reentry.h - may a function be entered again while it runs, by the same thread? */
#ifndef SER_INSTRUMENT_CODE_REENTRY_H
#define SER_INSTRUMENT_CODE_REENTRY_H

#include "instrument/unit.h"

/* By what it calls: itself, code that is not seen, except for functions of the C library and of
 * POSIX that are known to call nothing back (accesses/outside.h), or a pointer. */
bool ser_may_be_reentered(ser_unit *unit, LLVMValueRef function);

#endif
