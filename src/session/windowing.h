/* SPDX-License-Identifier: MIT */
/*
 * windowing.h - predicts while a trace is read, each block in a window around it
 * (stream/windows.h), so that neither the trace's length nor its end matters.
 */
#ifndef SER_SESSION_WINDOWING_H
#define SER_SESSION_WINDOWING_H

#include <stdio.h>

#include "predict/predict.h"
#include "session/source.h"

typedef struct ser_windowing {
    uint32_t size;     /* of a window, in events */
    uint32_t largest;  /* blocks without a violation in theirs are looked at again in windows that
                          are  16 times as large, up to this size, each in one more pass over the
                          trace,  which can be rewound; 0: they are not */
    FILE *text;        /* what is found, as it is found; NULL: nothing is printed */
    bool is_asked_for; /* if not, a block of which only its window is known is undecided */
    bool facts_first;  /* a pass over the trace before, for facts about all of it: the source can be
                          rewound */
    bool only_notable; /* of the blocks, in the JSON: those with a violation or without an answer */
    const char *json;  /* file for the result; "-" is standard output; NULL: none */
    ser_predict_options predict;
} ser_windowing;

/* Reads the source to its end, or to where it is stopped. SER_VIOLATION, SER_UNDECIDED or SER_OK:
 * the verdict; or what went wrong. */
ser_status ser_predict_in_windows(ser_source *source, const ser_windowing *options,
                                  ser_error *error);

#endif
