/* SPDX-License-Identifier: MIT */
/*
 * portfolio.h - the engine `auto`: which engine decides a task, and for how long it may try.
 */
#ifndef SER_PREDICT_PORTFOLIO_H
#define SER_PREDICT_PORTFOLIO_H

#include "predict/search.h"

/* Decides a task with one engine after the other, in growing slices of time, until one decides
 * it or the time is over; returns the engine that answered last. */
const ser_search_engine *ser_portfolio_run(const ser_task *task, const ser_search_options *options,
                                           ser_answer *answer);

#endif
