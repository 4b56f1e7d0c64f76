/* SPDX-License-Identifier: MIT */
/*
 * watching.h - records a program and predicts from what it does while it runs: for programs that
 * never end.
 *
 * What the program does is cut into segments of a few seconds. Each becomes a trace of its own,
 * which begins with what must be known of the time before (record/past.h) and with the last
 * records of the segment before it, so that blocks at the seams are seen whole. Blocks are decided
 * in windows (stream/windows.h) that begin after that beginning: everything before them happens as
 * observed.
 *
 * The traces of the last segments stay on the disk, up to a limit, and those in which a violation
 * was found. Memory does not depend on how long the program runs.
 */
#ifndef SER_SESSION_WATCH_WATCHING_H
#define SER_SESSION_WATCH_WATCHING_H

#include "predict/predict.h"
#include "session/recording.h"
#include "session/source.h"

typedef struct ser_watching {
    ser_recording *recording;
    const char *folder; /* for the traces */
    ser_reading reading;
    uint32_t window; /* events */
    double every;    /* seconds of a segment */
    uint64_t keep;   /* bytes of traces in which nothing was found */
    bool detached;   /* at first (attachment.h) */
    ser_predict_options predict;
} ser_watching;

/* What --tell can ask of a watcher. */
#define SER_WATCH_COMMANDS "attach|detach|leave|status"

/* Sends one of the commands to the watcher that writes to the folder, and prints what it answers.
 */
ser_status ser_watch_tell(const char *folder, const char *command, ser_error *error);

/* Until the program ends, or is left running. Violations are printed when they are found, each
 * place of the code once. SER_VIOLATION, SER_OK, SER_UNDECIDED if nothing was looked at, or what
 * went wrong. */
ser_status ser_watch(const ser_watching *options, ser_error *error);

#endif
