/* SPDX-License-Identifier: MIT */
/*
 * predict_settings.h - how blocks are decided, from the options of `predict`.
 */
#ifndef SER_CLI_PREDICT_SETTINGS_H
#define SER_CLI_PREDICT_SETTINGS_H

#include "base/options.h"
#include "predict/predict.h"

/* All but the callbacks. Texts are those of the arguments. */
ser_predict_options ser_predict_settings(const ser_arguments *arguments);

#endif
