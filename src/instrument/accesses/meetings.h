/* SPDX-License-Identifier: MIT */
/*
 * meetings.h - what code that is not instrumented is given pointers to: threads may wait for each
 * other there, by locks, queues or conditions of a library that the runtime does not know.
 */
#ifndef SER_INSTRUMENT_ACCESSES_MEETINGS_H
#define SER_INSTRUMENT_ACCESSES_MEETINGS_H

#include "instrument/accesses/body.h"
#include "instrument/accesses/outside.h"

/* Inserts calls that tell of it, before and after a call that goes outside. */
void ser_tell_meetings(ser_body *body, LLVMValueRef call, ser_outside_call how);

#endif
