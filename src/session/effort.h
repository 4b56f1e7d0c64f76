/* SPDX-License-Identifier: MIT */
/*
 * effort.h - how much work prediction may do.
 */
#ifndef SER_SESSION_EFFORT_H
#define SER_SESSION_EFFORT_H

#include "predict/predict.h"

typedef struct ser_effort {
    double timeout; /* seconds per block; 0: any */
    size_t memory;  /* bytes for the search of one block; 0: half of the machine's memory, divided
                       by the number of jobs */
    ser_model model;
    bool staged;   /* avp first (predict/predict.h) */
    unsigned jobs; /* blocks at the same time; 0: as many as there are cores */
} ser_effort;

/* By the portfolio, for the path criterion; without callbacks. */
ser_predict_options ser_effort_options(const ser_effort *effort);

#endif
