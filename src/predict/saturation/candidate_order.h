/* SPDX-License-Identifier: MIT */
/*
 * candidate_order.h - in which order candidates are tried. Those with equal t always stand
 * together, since they share work.
 */
#ifndef SER_PREDICT_SATURATION_CANDIDATE_ORDER_H
#define SER_PREDICT_SATURATION_CANDIDATE_ORDER_H

#include "predict/saturation/candidates.h"

/* What was observed close together first: by the nearest candidate of each t, then by distance. */
void ser_path_candidates_sort_near(ser_path_candidates *candidates);

/* By t, in the order of the block. */
void ser_path_candidates_sort_far(ser_path_candidates *candidates);

#endif
