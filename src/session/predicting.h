/* SPDX-License-Identifier: MIT */
/*
 * predicting.h - predicts from a trace in memory, with a line of progress. If the work ends early,
 * the blocks decided by then are kept, and the others are unknown.
 */
#ifndef SER_SESSION_PREDICTING_H
#define SER_SESSION_PREDICTING_H

#include "report/predict_report.h"
#include "session/effort.h"
#include "session/loaded.h"
#include "session/predict_choice.h"

/* The callbacks of the options are set here. Call ser_prediction_fini in any case, before the
 * trace is closed. */
ser_status ser_predict_loaded(ser_prediction *prediction, ser_loaded *loaded,
                              const ser_predict_choice *choice, const ser_predict_options *options,
                              ser_error *error);

/* One candidate a place of the code (predict/candidates.h), for the blocks of the prediction, made
 * with the same options. The list is to be finished in any case. */
ser_status ser_predict_candidates(ser_candidate_list *list, const ser_prediction *prediction,
                                  const ser_predict_options *options, ser_error *error);

/* How the block that begins with that event can be violated; the order is to be freed.
 * SER_UNDECIDED if there is no answer or no violation. */
ser_status ser_predict_witness(ser_event_list *order, ser_loaded *loaded, uint32_t block,
                               const ser_effort *effort, ser_error *error);

/* The exit status for these results: SER_VIOLATION, SER_UNDECIDED or SER_OK. */
ser_status ser_predict_verdict(const ser_predict_report *report);

#endif
