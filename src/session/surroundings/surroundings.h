/* SPDX-License-Identifier: MIT */
/*
 * surroundings.h - what a program finds when it starts, the same for each of its runs: its working
 * folder (--scratch), what a command of the user has restored (--reset), its standard input.
 *
 *     ser_surroundings_enter(&around, &options, error);   before a run
 *     ser_surroundings_leave(&around);                    after it
 *     ser_surroundings_keep(&around, "run-3.srt");        if something was found in it
 *
 * The copy of the working folder has the same path in every run. It is removed before the next one,
 * unless it is kept under the name of the run's trace.
 */
#ifndef SER_SESSION_SURROUNDINGS_SURROUNDINGS_H
#define SER_SESSION_SURROUNDINGS_SURROUNDINGS_H

#include "record/record.h"
#include "session/surroundings/kept_input.h"

typedef struct ser_surroundings {
    const char *scratch; /* folder of which each run gets a copy; NULL: none */
    const char *reset;   /* command for the shell, before every run but the first; NULL: none */
    const char *folder;  /* for copies and for input that is kept, and not part of a copy */
    bool not_first;      /* the next run is not the first one */
    char *copy;          /* of `scratch`, an absolute path; owned. NULL: none yet */
    ser_kept_input input;
    int given; /* to the program as standard input; 0: ours */
} ser_surroundings;

void ser_surroundings_init(ser_surroundings *around);
void ser_surroundings_fini(ser_surroundings *around);

/* Where copies are made. To be called once, with a folder that exists. If there are to be several
 * runs and standard input is a pipe, it is kept there. */
ser_status ser_surroundings_begin(ser_surroundings *around, const char *folder, bool several,
                                  ser_error *error);

/* For replays: gives the program the input that an earlier command has kept beside that trace,
 * unless our own standard input is a file. */
ser_status ser_surroundings_find_input(ser_surroundings *around, const char *trace,
                                       ser_error *error);

/* Prepares a run, and says so in its options. */
ser_status ser_surroundings_enter(ser_surroundings *around, ser_record_options *options,
                                  ser_error *error);
void ser_surroundings_leave(ser_surroundings *around);

/* Something was found in the last run, which has that trace: its folder stays, as TRACE without
 * .srt and with .scratch. */
void ser_surroundings_keep(const ser_surroundings *around, const char *trace);

#endif
