/* SPDX-License-Identifier: MIT */
/*
 * verify.h - did each read return the value that the trace says was written?
 *
 * True of every read if recording is exact and all writers are instrumented. So this tests the
 * recorder, and finds memory that is written by code without instrumentation. Not thread-safe.
 */
#ifndef SER_RECORD_EVENTS_VERIFY_H
#define SER_RECORD_EVENTS_VERIFY_H

#include <stdbool.h>

#include "base/vector.h"
#include "trace/event.h"

typedef struct ser_verified {
    uint64_t value;
    bool known;
} ser_verified;

typedef struct ser_verifier {
    SER_VECTOR(ser_verified) variables;
    uint64_t mismatches;
    ser_event first; /* the first read that saw something else */
    uint64_t expected;
} ser_verifier;

/* Looks at the next event, an access. A write without a value makes the variable's value unknown
 * until the next access. */
void ser_verify(ser_verifier *verifier, const ser_event *event);

#endif
