/* SPDX-License-Identifier: MIT */
/*
 * predict_task.h - what a prediction is of, as a word: results of several processes belong together
 * if it is the same.
 *
 * It depends on the events, with their blocks, and on what decides verdicts: model, criterion,
 * bounds, the choice of blocks. It does not depend on the shard, the engine, on limits of time and
 * memory, on names, or on where the trace lies. O(events).
 */
#ifndef SER_SESSION_PREDICT_TASK_H
#define SER_SESSION_PREDICT_TASK_H

#include "predict/predict.h"
#include "session/predict_choice.h"

enum { SER_PREDICT_TASK_SIZE = 17 };

void ser_predict_task(const ser_run *run, const ser_predict_options *options,
                      const ser_predict_choice *choice, char task[SER_PREDICT_TASK_SIZE]);

#endif
