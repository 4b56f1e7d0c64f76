/* SPDX-License-Identifier: MIT */
/*
 * survey.h - facts about a run that all its blocks use, found in a few passes over it.
 *
 * Read-only once made, so threads may share it. Owns all that it points to but the run.
 */
#ifndef SER_PREDICT_STATIC_SURVEY_H
#define SER_PREDICT_STATIC_SURVEY_H

#include "order/index.h"
#include "order/order.h"
#include "predict/static/guard.h"
#include "predict/static/two_phase.h"

typedef struct ser_survey {
    const ser_run *run;
    ser_order *order;
    ser_index *index;
    ser_lock_guards *guards;  /* NULL: not wanted */
    ser_two_phase *two_phase; /* NULL: not wanted */
    uint64_t *extents;        /* NULL: not wanted, or not known (extent.h) */
} ser_survey;

typedef struct ser_survey_options {
    bool guards, two_phase, extents; /* what is wanted; two_phase wants guards, too */
    bool parallel;                   /* a second thread may help */
    const ser_meter_limits *limits;
} ser_survey_options;

/* If a limit was reached, which is returned, parts are missing or incomplete. */
ser_overrun ser_survey_init(ser_survey *survey, const ser_run *run,
                            const ser_survey_options *options);
void ser_survey_fini(ser_survey *survey);

#endif
