/* SPDX-License-Identifier: MIT */
/*
 * printed.h - numbers that are only printed, which decide nothing.
 */
#ifndef SER_INSTRUMENT_GUARDS_PRINTED_H
#define SER_INSTRUMENT_GUARDS_PRINTED_H

#include "instrument/unit.h"

/* Does the call print the number to standard output or standard error, and does nobody look at what
 * the call returns? Then the program goes on the same way, whichever number it is. */
bool ser_is_only_printed(LLVMValueRef call, LLVMValueRef number);

#endif
