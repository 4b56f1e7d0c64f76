/* SPDX-License-Identifier: MIT */
/*
 * verify.h - is what each read saw what the trace says was written?
 *
 * True of every read if recording is exact and all writers are instrumented. So
 * this tests the recorder, and finds memory that code we do not see writes to.
 * Not thread-safe.
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

/* Looks at the next event, an access. Without a value a write makes the variable's
 * unknown, until somebody reads or writes it. */
void ser_verify(ser_verifier *verifier, const ser_event *event);

#endif
