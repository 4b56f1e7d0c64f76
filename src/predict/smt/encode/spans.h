/* SPDX-License-Identifier: MIT */
/*
 * spans.h - which steps can lie on a path from the block to the block.
 *
 * A path goes on to all that follows in a thread; so those to which one may lead are
 * the end of each thread from some step on, those from which one may lead back are its
 * beginning, and what is both is a span. Links are judged by must.h alone, so a span
 * may hold more than there is, but never less.
 */
#ifndef SER_PREDICT_SMT_ENCODE_SPANS_H
#define SER_PREDICT_SMT_ENCODE_SPANS_H

#include "predict/smt/encode/encoding.h"

typedef struct ser_spans {
    uint32_t *from, *to; /* by thread: its steps [from, to) */
} ser_spans;

/* How accesses are grouped: a path that enters a group may leave it from any member. The arrays
 * are by step; NULL: each move is a group of its own. The block is one group. */
typedef struct ser_groups {
    const uint32_t *first, *end;
} ser_groups;

/* With NULL for groups, the block's thread is left out but for the block. O(steps *
 * threads * log), if all threads use all variables. */
void ser_spans_init(ser_spans *spans, ser_encoding *encoding, const ser_groups *groups);
void ser_spans_fini(ser_spans *spans);

static inline bool ser_spans_hold(const ser_spans *spans, const ser_encoding *encoding,
                                  uint32_t step)
{
    uint32_t thread = ser_encoding_step(encoding, step)->thread;
    return spans->from[thread] <= step && step < spans->to[thread];
}

#endif
