/* SPDX-License-Identifier: MIT */
/*
 * tries.h - observed violations that are none of the data.
 *
 * Who tries a lock in vain, lets go what it holds and begins again (std::scoped_lock of several
 * locks does) has done nothing yet that others could see. But a failed try sees the lock's
 * state, and so `check` finds blocks interrupted there: by the definition they are.
 * People who run their program want to know of data. So where a run has failed tries, `run` asks
 * once more which blocks are violated by conflicts of data and other synchronisation than
 * locks, and tells only those.
 */
#ifndef SER_SESSION_RUN_TRIES_H
#define SER_SESSION_RUN_TRIES_H

#include "order/run.h"

typedef struct ser_data_violations {
    bool all;                    /* the run has no failed tries: every violation counts */
    SER_VECTOR(uint64_t) begins; /* of the blocks that are violated by data, rising */
} ser_data_violations;

/* One pass over the run; free the vector. */
ser_data_violations ser_data_violations_of(const ser_run *run);

/* Is the block that begins at that event among them? */
bool ser_data_violations_has(const ser_data_violations *violations, uint64_t begin);

#endif
