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

#include "order/numbering.h"
#include "replay/inputs.h"
#include "session/source.h"
#include "trace/statistics.h"

typedef struct ser_loaded {
    ser_source source;
    ser_run *run;      /* NULL: not read */
    ser_counts counts; /* of what was read */
    bool abandoned;    /* threads that did not stop in time still read the run: neither that nor its
                          symbols may be freed */
    ser_symbols *symbols;  /* those of the run, once the file is closed; NULL: the source's */
    ser_input_list inputs; /* nondeterministic inputs of the program; see below */
    bool has_inputs;
    ser_numbering numbering; /* of the run, if it has but some of the events; else unused */
} ser_loaded;

ser_status ser_loaded_open(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error);

/* Reads the trace to its end, or to where it is stopped (loaded->source.stopped). */
ser_status ser_loaded_read(ser_loaded *loaded, ser_error *error);

/* Which events the run has. */
typedef enum ser_sifting {
    SER_SIFT_NEVER,  /* all */
    SER_SIFT_LARGE,  /* of traces that would take half of the memory, those that matter to paths
                        under the model avp */
    SER_SIFT_ALWAYS, /* those of every trace */
} ser_sifting;

typedef struct ser_sift_options {
    ser_sifting when;
    bool only_avp; /* no other model is asked for. If not, and the trace has more than avp looks
                      at, all events are read */
    uint64_t
        memory; /* bytes that the run and its survey may take, about; 0: half of the machine's */
} ser_sift_options;

/* The same, without the events that cannot matter (order/users.h) where that is asked for. Two
 * passes: the source must have been opened with `keep`. SER_UNDECIDED if even so the run would take
 * more memory than that. For SER_SIFT_NEVER the other options do not count. */
ser_status ser_loaded_sift(ser_loaded *loaded, const ser_sift_options *options, ser_error *error);

/* Both. */
ser_status ser_loaded_make(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error);

/* Closes the file: the run and its names stay. There is no reader to ask any more. */
void ser_loaded_leave_file(ser_loaded *loaded);

/* Also after a failure. */
void ser_loaded_close(ser_loaded *loaded);

/* The nondeterministic inputs of the recorded program, read on the first call. */
ser_status ser_loaded_inputs(ser_loaded *loaded, const ser_input_list **inputs, ser_error *error);

/* About how many bytes it takes. */
uint64_t ser_loaded_bytes(const ser_loaded *loaded);

#endif
