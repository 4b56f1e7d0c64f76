/* SPDX-License-Identifier: MIT */
/*
 * prediction.h - what the library's runs and predictions are inside.
 */
#ifndef SER_API_PREDICTION_H
#define SER_API_PREDICTION_H

#include "session/predicting.h"
#include <seriatim/seriatim.h>

struct seriatim_run {
    char *path, *atomic; /* owned; atomic may be NULL */
    ser_loaded loaded;
};

struct seriatim_prediction {
    seriatim_run *run;
    ser_prediction results;
};

/* The result with that index, if its block is violated; else NULL. */
const ser_block_result *ser_api_find_violation(const seriatim_prediction *prediction, size_t index,
                                               ser_error *error);

#endif
