/* SPDX-License-Identifier: MIT */
/*
 * outside.h - calls of code that is not instrumented: it may read memory of the program, and that
 * is not recorded.
 *
 * Whether a function of another object is instrumented is known when the program is linked: an
 * instrumented object defines a symbol beside each of its functions that others can call
 * (ser_mark_seen), and callers refer to it weakly.
 */
#ifndef SER_INSTRUMENT_ACCESSES_OUTSIDE_H
#define SER_INSTRUMENT_ACCESSES_OUTSIDE_H

#include "instrument/unit.h"

typedef enum ser_outside_call {
    SER_OUTSIDE_NOT,     /* instrumented, or all that it reads is recorded */
    SER_OUTSIDE_RUNS,    /* it may read memory, and calls nothing of the program's */
    SER_OUTSIDE_LEAVES,  /* anything may happen */
    SER_OUTSIDE_PERHAPS, /* the same, unless the function is instrumented */
    SER_OUTSIDE_POINTER, /* the same, of what a pointer points to */
} ser_outside_call;

/* What does a call do? Also of inline assembly, intrinsics and pointers. */
ser_outside_call ser_goes_outside(ser_unit *unit, LLVMValueRef call);

/* Inserts the calls that record it, before the instruction and, if it may call back, after it. */
void ser_tell_outside(ser_unit *unit, LLVMValueRef instruction, ser_outside_call how);

/* The stage, or STAYS if the function that is called turns out to be instrumented. */
LLVMValueRef ser_stage_outside(ser_unit *unit, LLVMValueRef call, ser_outside_call how,
                               unsigned stage);

/* Marks the functions of the module as instrumented. After all insertions. */
void ser_mark_seen(ser_unit *unit);

#endif
