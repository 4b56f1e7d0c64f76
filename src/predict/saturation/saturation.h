/* SPDX-License-Identifier: MIT */
/*
 * saturation.h - decides a task without search, where it can.
 *
 * For each way in which a path could leave the block and come back (candidates.h), the
 * orders that it forces are closed under what follows from them (rules.h). If they
 * contradict each other, there is no such path; if not, a run that keeps to them is
 * often one (directed_run.h). docs/algorithms/saturation.md has the proofs.
 */
#ifndef SER_PREDICT_SATURATION_SATURATION_H
#define SER_PREDICT_SATURATION_SATURATION_H

#include "predict/search.h"

/* Its name is "static". Where it cannot decide, more time would not help, and it gives no
 * reason: SER_UNKNOWN with SER_REASON_NONE. By the criterion of serializability it can find
 * violations only. */
extern const ser_search_engine ser_search_saturation;

#endif
