/* SPDX-License-Identifier: MIT */
/*
 * loaded.h - a whole trace in memory: read once, then used by prediction, monitor, coverage and
 * replay alike.
 *
 *     ser_loaded loaded;
 *     status = ser_loaded_open(&loaded, &settings, error);
 *     if (status == SER_OK)
 *         status = ser_loaded_read(&loaded, error);
 *     ser_loaded_close(&loaded);
 *
 * Memory: that of the run (order/run.h), the names, and what the reader needs until
 * ser_loaded_leave_file.
 */
#ifndef SER_SESSION_LOADED_H
#define SER_SESSION_LOADED_H

#include "order/run.h"
#include "replay/inputs.h"
#include "session/source.h"
#include "trace/statistics.h"

typedef struct ser_loaded {
    ser_source source;
    ser_run *run;          /* NULL: not read */
    ser_counts counts;     /* of what was read */
    bool abandoned;        /* threads that would not stop still read the run: it must stay */
    ser_symbols *symbols;  /* those of the run, once the file is closed; NULL: the source's */
    ser_input_list inputs; /* what the system answered the program; see below */
    bool has_inputs;
} ser_loaded;

ser_status ser_loaded_open(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error);

/* Reads the trace to its end, or to where it is stopped (loaded->source.stopped). */
ser_status ser_loaded_read(ser_loaded *loaded, ser_error *error);

/* Both. */
ser_status ser_loaded_make(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error);

/* Closes the file: the run and its names stay. There is no reader to ask any more. */
void ser_loaded_leave_file(ser_loaded *loaded);

/* Also after a failure. */
void ser_loaded_close(ser_loaded *loaded);

/* What the system answered the recorded program, read the first time it is asked for. */
ser_status ser_loaded_inputs(ser_loaded *loaded, const ser_input_list **inputs, ser_error *error);

/* About how many bytes it takes. */
uint64_t ser_loaded_bytes(const ser_loaded *loaded);

#endif
