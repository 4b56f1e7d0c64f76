/* SPDX-License-Identifier: MIT */
/*
 * kept.h - traces that stay in memory until the violations found in them are replayed.
 *
 * As many as an eighth of the machine's memory holds; the others are read once more when they are
 * asked for. Not thread-safe.
 */
#ifndef SER_SESSION_RUN_KEPT_H
#define SER_SESSION_RUN_KEPT_H

#include "session/loaded.h"

typedef struct ser_kept_trace {
    size_t number; /* of the run */
    ser_loaded loaded;
} ser_kept_trace;

typedef struct ser_kept {
    SER_VECTOR(ser_kept_trace) traces;
    uint64_t bytes; /* that they take, about */
} ser_kept;

/* Takes the trace over, or closes it if there is no room for it. Numbers rise. */
void ser_kept_add(ser_kept *kept, size_t number, ser_loaded *loaded);

/* The trace, read with the settings if it was not kept; valid until the next call. Those with
 * lower numbers are closed: nobody asks for them again. */
ser_status ser_kept_get(ser_kept *kept, size_t number, const ser_source_settings *settings,
                        ser_loaded **loaded, ser_error *error);

void ser_kept_fini(ser_kept *kept);

#endif
