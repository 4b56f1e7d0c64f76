/* SPDX-License-Identifier: MIT */
/*
 * settle.h - blocks of a large run that facts settle, before order and index of the run are made.
 *
 * Which threads use a variable, and under which lock (static/guard.h), with forks and joins alone:
 * that settles nearly all blocks of most runs, and takes a fraction of the time that a survey
 * takes. What it proves holds in every model, since it does not matter which write a read gets.
 * The segments of these blocks are not found.
 */
#ifndef SER_PREDICT_SETTLE_H
#define SER_PREDICT_SETTLE_H

#include "base/meter.h"
#include "predict/predict.h"

/* Smaller runs are surveyed at once, so that the segment of each block is known. */
enum { SER_SETTLED_FROM = 1 << 18 }; /* events */

bool ser_settle_applies(const ser_run *run, const ser_predict_options *options);

/* For each of these blocks, how it is settled (ser_static_proof), into `proofs`, which are all
 * zero. They count for nothing if a limit was reached, which is returned. */
ser_overrun ser_settle_blocks(const ser_run *run, const ser_predict_options *options,
                              const uint32_t *blocks, size_t count, uint8_t *proofs,
                              const ser_meter_limits *limits);

#endif
