/* SPDX-License-Identifier: MIT */
/*
 * recording.h - a program that is run and recorded, once or again and again.
 *
 *     ser_recording recording;
 *     status = ser_recording_init(&recording, &options, &help, error);
 *     status = ser_recording_run(&recording, "trace.srt", error);
 *     ser_recording_fini(&recording);
 */
#ifndef SER_SESSION_RECORDING_H
#define SER_SESSION_RECORDING_H

#include <sys/types.h>

#include "base/vector.h"
#include "record/capture/settings.h"
#include "record/record.h"
#include "session/surroundings/surroundings.h"

typedef struct ser_recording_options {
    char *const *command;     /* the program and its arguments, which must outlive the recording;
                                 NULL ends them */
    const char *settings;     /* of the runtime, a=1:b=2; NULL: none */
    const char *limit;        /* as text, which limit.h explains; NULL: the standard one */
    bool parallel, verify;    /* as in record.h */
    double run_limit;         /* see below */
    ser_class_choice classes; /* of Java programs */
} ser_recording_options;

typedef struct ser_recording {
    ser_settings settings; /* of the runtime; what is added later overrides */
    SER_VECTOR(char *) command;
    ser_record_options options;
    ser_record_outcome outcome; /* of the last run */
    ser_surroundings around;    /* --scratch and --reset are set after ser_recording_init */
    off_t input; /* the position of standard input at which each run begins to read; -1: it is not a
                    file that can be read again */
    double run_limit;  /* seconds that one run may take; 0: any time */
    double until;      /* when all runs end, by ser_clock_now(); 0: not by the time */
    bool has_recorded; /* a run before: the program is instrumented */
} ser_recording;

/* With *help set, only help on the settings of the runtime was asked for (help=1). To be finished
 * in any case. */
ser_status ser_recording_init(ser_recording *recording, const ser_recording_options *options,
                              bool *help, ser_error *error);
void ser_recording_fini(ser_recording *recording);

/* Runs the program and writes the trace; says what went wrong with the program.
 * SER_INPUT if there is no trace; SER_UNDECIDED, without a message, if a signal or
 * a limit ended the program before it recorded anything, or a run before did record something. */
ser_status ser_recording_run(ser_recording *recording, const char *trace, ser_error *error);

/* The same without messages about the program. */
ser_status ser_recording_run_quietly(ser_recording *recording, const char *trace, ser_error *error);

/* Says what is in the trace. */
void ser_recording_tell_trace(const char *path, const ser_finish_result *result);

/* For programs that the user did not start: replays, and runs after the first. All processes
 * that they start are ended with them. */
void ser_recording_own(ser_recording *recording);

#endif
