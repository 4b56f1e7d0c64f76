/* SPDX-License-Identifier: MIT */
/*
 * sights.h - a read sees one of several writes.
 *
 * With q writes of the variable, k of which it may be, that is of the order of q + k clauses: a
 * point of its own, the horizon, lies before the write that is seen, and all other writes lie
 * before the horizon or after the read. Those between may be several that it may see; then the last
 * of them is the one.
 */
#ifndef SER_PREDICT_SMT_ENCODE_SIGHTS_H
#define SER_PREDICT_SMT_ENCODE_SIGHTS_H

#include "predict/smt/encode/encoding.h"

typedef struct ser_sight {
    uint32_t write;        /* not overwritten; SER_TASK_START: there is none before the read */
    ser_literal condition; /* that holds if the read sees it */
    ser_literal sees;      /* filled by ser_encode_sights */
} ser_sight;

typedef SER_VECTOR(ser_sight) ser_sight_list;

/* If the premise holds, the read sees one of them. The horizon is a point for this alone. Scratch:
 * one for each step, SER_FALSE before and after. */
void ser_encode_sights(ser_encoding *encoding, uint32_t read, ser_literal premise,
                       ser_sight_list *sights, uint32_t horizon, ser_literal *scratch);

#endif
