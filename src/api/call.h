/* SPDX-License-Identifier: MIT */
/*
 * call.h - what all functions of the library do on entry and return.
 */
#ifndef SER_API_CALL_H
#define SER_API_CALL_H

#include <stddef.h>

#include "base/status.h"

/* Copies a structure that begins with its size, as the program was compiled with, into one of
 * `size` bytes as we know it: fields that only one of the two has are 0, or left alone. NULL copies
 * nothing. */
void ser_api_take(void *ours, size_t size, const void *given);

/* The other way round, for results; the program's structure keeps its size. */
void ser_api_give(void *given, const void *ours, size_t size);

/* One call of the library: between the two, nothing is printed to standard error. */
typedef struct ser_api_call {
    ser_error error;
    bool was_quiet;
} ser_api_call;

void ser_api_enter(ser_api_call *call);

/* Gives the program the message of a failure, or an empty one, and returns the status. */
int ser_api_leave(const ser_api_call *call, ser_status status, char *message, size_t size);

#endif
