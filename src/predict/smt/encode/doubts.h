/* SPDX-License-Identifier: MIT */
/*
 * doubts.h - of which moves the formula has to say that they are unchanged, or changed, where
 * reads may change.
 *
 * A step at the limit of a move asks that it is unchanged; so do joins, unspoiled steps and
 * read-modify-writes that write only then. An unchanged move sees clean writes, so that all
 * earlier moves of the writer are asked about as well. That a move is changed matters only to
 * a read-modify-write that did not write: it needs a reason, and a dirty write is one.
 */
#ifndef SER_PREDICT_SMT_ENCODE_DOUBTS_H
#define SER_PREDICT_SMT_ENCODE_DOUBTS_H

#include "predict/smt/encode/encoding.h"

typedef SER_VECTOR(uint32_t) ser_source_list;

/* A set of moves that is closed under "what it sees was written behind". */
typedef struct ser_doubt_set {
    bool *has;       /* by first step of a move */
    uint32_t *until; /* by thread: the set has all moves before that step */
} ser_doubt_set;

typedef struct ser_doubts {
    ser_doubt_set unchanged, changed; /* the second is a part of the first */
} ser_doubts;

/* Reliable moves, and those that cannot happen, are in no set. */
void ser_doubts_init(ser_doubts *doubts, const ser_encoding *encoding);
void ser_doubts_fini(ser_doubts *doubts);

/* Makes the list anew: what the read may see and be unchanged, steps or SER_TASK_START. */
void ser_doubts_list_sources(const ser_encoding *encoding, uint32_t read, ser_source_list *list);

/* Is it a move that can be changed, and dirty writes come of it, at once or later? */
static inline bool ser_doubts_makes_dirty(const ser_encoding *encoding, uint32_t move)
{
    return ser_encoding_has_source(encoding, move) && !encoding->reliable[move] &&
           (ser_encoding_step(encoding, move)->writes_anyway ||
            !ser_limits_stop(&encoding->must.limits, move));
}

/* It writes nothing if it is changed. */
static inline bool ser_doubts_may_fail(const ser_encoding *encoding, uint32_t move)
{
    const ser_task_step *step = ser_encoding_step(encoding, move);
    return step->access == SER_ACCESS_RMW && !step->writes_anyway && !encoding->reliable[move];
}

#endif
