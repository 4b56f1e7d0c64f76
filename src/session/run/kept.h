/* SPDX-License-Identifier: MIT */
/*
 * kept.h - traces that stay in memory until the violations found in them are replayed.
 *
 * As many as an eighth of the machine's memory holds; the others are read once more when they are
 * asked for. Not thread-safe.
 */
#ifndef SER_SESSION_RUN_KEPT_H
#define SER_SESSION_RUN_KEPT_H

#include "predict/predict.h"
#include "session/loaded.h"

typedef struct ser_kept_trace {
    size_t number; /* of the run */
    ser_loaded loaded;
    ser_prediction prediction; /* from it; of no run (NULL) if the trace was read once more */
} ser_kept_trace;

typedef struct ser_kept {
    SER_VECTOR(ser_kept_trace) traces;
    uint64_t bytes; /* that they take, about */
} ser_kept;

/* Takes the trace and the prediction over, or closes them if there is no room. Numbers rise. */
void ser_kept_add(ser_kept *kept, size_t number, ser_loaded *loaded, ser_prediction *prediction);

/* The trace, read with the settings if it was not kept; valid until the next call. Those with
 * lower numbers are closed: they are not needed again. */
ser_status ser_kept_get(ser_kept *kept, size_t number, const ser_source_settings *settings,
                        ser_loaded **loaded, ser_error *error);

/* The trace if it was kept with its prediction, else NULL; valid as long. */
ser_kept_trace *ser_kept_find(const ser_kept *kept, size_t number);

void ser_kept_fini(ser_kept *kept);

#endif
