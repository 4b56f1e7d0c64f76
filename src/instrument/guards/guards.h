/* SPDX-License-Identifier: MIT */
/*
 * guards.h - what the value of a read decides, as a text for the trace (contract/guards.def).
 *
 * The value is followed from the load through operations with constants, or with parameters of
 * the function, through locals, and through functions that are defined here. Every other use of it,
 * or of what was computed from it, is a guard: a branch, an address, an argument, a value that is
 * stored, or an operation that is not understood. As long as each guard has the same result,
 * nothing in the program can distinguish the values.
 */
#ifndef SER_INSTRUMENT_GUARDS_GUARDS_H
#define SER_INSTRUMENT_GUARDS_GUARDS_H

#include "instrument/code/followed.h"
#include "instrument/unit.h"

enum { SER_GUARDS_SIZE = 1000, SER_MOST_TEXT_GUARDS = 16 };

/* The guards of a load, or of an atomic update. If its function has followed stores or guards that
 * name it, its key comes first: "@17;v,0,sgt32"; of an update also what it writes:
 * "@17;=v,1,wadd32;v,0,sgt32". False: only an equal value is sure to lead the same way, or there
 * are too many of them. `operands` are the parameters of the function that they name.
 * No function must have been rewritten yet. */
bool ser_guards_of_load(ser_unit *unit, const ser_followed *followed, LLVMValueRef load,
                        char text[SER_GUARDS_SIZE], ser_operands *operands);

#endif
