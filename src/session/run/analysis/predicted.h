/* SPDX-License-Identifier: MIT */
/*
 * predicted.h - a part of the analysis of a recorded run: which of its blocks other interleavings
 * of it violate, within the time that there is for that (deadline.h).
 */
#ifndef SER_SESSION_RUN_PREDICTED_H
#define SER_SESSION_RUN_PREDICTED_H

#include "predict/predict.h"
#include "report/run_report.h"
#include "session/loaded.h"
#include "session/run/options.h"

typedef struct ser_predicting {
    ser_run_trace *trace; /* its verdicts are counted there */
    const ser_run_options *options;
    ser_loaded *loaded;
    bool is_first;  /* of the program's runs */
    double reading; /* seconds that it took to read the trace */
} ser_predicting;

ser_status ser_run_predict(ser_prediction *prediction, const ser_predicting *what,
                           ser_error *error);

#endif
