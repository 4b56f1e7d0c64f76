/* SPDX-License-Identifier: MIT */
/*
 * reporting.h - from what commands left behind to a dossier (report/dossier/dossier.h), of which
 * every report is made: the folder of `run` or `explore`, a result.json, or a trace, which is then
 * analysed here.
 *
 *     ser_reporting work = {.options = ...};
 *     status = ser_reporting_add(&work, "seriatim.out", error);     as often as one likes
 *     ser_reporting_finish(&work);
 *     use work.dossier
 *     ser_reporting_fini(&work);
 *
 * Memory: traces in which something was found stay in memory until the end.
 */
#ifndef SER_SESSION_REPORTING_REPORTING_H
#define SER_SESSION_REPORTING_REPORTING_H

#include "report/dossier/dossier.h"
#include "session/effort.h"
#include "session/loaded.h"

typedef struct ser_reporting_options {
    ser_reading reading; /* of a trace that is analysed here; of a folder: .lenient */
    const char *atomic;  /* reading.atomic where the user chose it, for the report; else NULL */
    ser_effort effort;
    const char *only; /* id of the one finding that is wanted; NULL: all */
} ser_reporting_options;

typedef struct ser_reporting_trace {
    char *path;
    ser_loaded loaded;
} ser_reporting_trace;

typedef struct ser_reporting {
    ser_reporting_options options;
    ser_dossier dossier;
    SER_VECTOR(ser_reporting_trace *) traces;
    double drawing_ends; /* after a request to stop; 0: there was none yet */
} ser_reporting;

/* A folder with a result.json, such a file, or a trace. */
ser_status ser_reporting_add(ser_reporting *work, const char *path, ser_error *error);

void ser_reporting_finish(ser_reporting *work);
void ser_reporting_fini(ser_reporting *work);

/* --- between the parts ----------------------------------------------------------- */

/* Reads a trace, or finds it among those that were read. It stays the reporting's. */
ser_status ser_reporting_load(ser_reporting *work, const char *path, const ser_reading *reading,
                              ser_loaded **loaded, ser_error *error);

/* May another interleaving be drawn, which takes as long as reading the trace does? After a request
 * to stop only for a moment: what has none is reported without it. */
bool ser_reporting_may_draw(ser_reporting *work);

/* Analyses a trace: prediction and monitor. */
ser_status ser_reporting_analyse(ser_reporting *work, const char *path, ser_error *error);

#endif
