/* SPDX-License-Identifier: MIT */
/*
 * predict_settings.h - how blocks are decided, from the options of `predict`.
 */
#ifndef SER_CLI_PREDICT_SETTINGS_H
#define SER_CLI_PREDICT_SETTINGS_H

#include "base/options.h"
#include "predict/predict.h"

/* How much work is done: --timeout, --memory, --jobs. By the portfolio, for the path
 * criterion. */
ser_predict_options ser_predict_effort(const ser_arguments *arguments);

/* All options of `predict`, but not the callbacks. Texts are those of the arguments. */
ser_predict_options ser_predict_settings(const ser_arguments *arguments);

#endif
