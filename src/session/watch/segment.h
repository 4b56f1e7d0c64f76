/* SPDX-License-Identifier: MIT */
/*
 * segment.h - a run that is analysed piece by piece (watching.h): records in, violations out.
 */
#ifndef SER_SESSION_WATCH_SEGMENT_H
#define SER_SESSION_WATCH_SEGMENT_H

#include "predict/predict.h"
#include "session/source.h"

struct ser_record;

typedef struct ser_segments_options {
    const char *folder;
    ser_reading reading;
    uint32_t window;
    uint64_t keep;
    ser_predict_options predict;
    double start; /* when the program was started */
} ser_segments_options;

typedef struct ser_segments ser_segments;

ser_segments *ser_segments_create(const ser_segments_options *options);
void ser_segments_destroy(ser_segments *segments);

/* A file that recording may use while it runs. */
const char *ser_segments_spool(const ser_segments *segments);

/* What the program did since the last call. */
ser_status ser_segments_add(ser_segments *segments, const struct ser_record *records, size_t count,
                            ser_error *error);

/* The same of what is not looked at. */
void ser_segments_pass(ser_segments *segments, const struct ser_record *records, size_t count);

typedef struct ser_segments_count {
    uint64_t events, segments;
    size_t places; /* that can be violated */
} ser_segments_count;

ser_segments_count ser_segments_so_far(const ser_segments *segments);

/* Says what was found. SER_VIOLATION, SER_OK, or SER_UNDECIDED if there were no events. */
ser_status ser_segments_conclude(const ser_segments *segments);

#endif
