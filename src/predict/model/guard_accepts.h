/* SPDX-License-Identifier: MIT */
/*
 * guard_accepts.h - which writes a read accepts because its guards have the same results.
 *
 * The paper's simplification of pi-functions: a guard over one read is evaluated in advance,
 * against the value of each write that the read may get. What is left for the search is a list
 * of writes.
 */
#ifndef SER_PREDICT_MODEL_GUARD_ACCEPTS_H
#define SER_PREDICT_MODEL_GUARD_ACCEPTS_H

#include "predict/model/value_facts.h"

/* Of reads with guards; others keep what they accept. */
void ser_guard_accepts_set(ser_reads *reads, const ser_run *run, const ser_value_facts *facts);

#endif
