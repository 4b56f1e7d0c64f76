/* SPDX-License-Identifier: MIT */
/*
 * main_status.h - the exit status of a program whose main returns nothing.
 *
 * C leaves it open; it is whatever a register holds, which changes with the schedule, so that
 * runs would seem to fail. Such a main ends with status 0 instead.
 */
#ifndef SER_INSTRUMENT_MAIN_STATUS_H
#define SER_INSTRUMENT_MAIN_STATUS_H

#include "instrument/unit.h"

/* To be called when the function's returns are instrumented. */
void ser_settle_main_status(ser_unit *unit, LLVMValueRef function);

#endif
