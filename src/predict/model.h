/* SPDX-License-Identifier: MIT */
/*
 * model.h - how far a thread goes when a read gets another write than in the trace.
 *
 * A model makes the rules for reads (trace/reads.h) from what the trace holds:
 *
 *   avp   a thread stops at its first changed read. No rules are needed
 *   data  a read of the same value is no change: it accepts all writes of its
 *         variable that wrote the value it read, and the initial value if that is known
 *         to be the same. A read whose value is data only by the word of the compiler
 *         (SER_FLOW_DATA) does not stop its thread (data_limits.h). What is predicted is
 *         certain: each thread takes the steps it took
 *   guards  as data; and a read whose guards are known (SER_GUARDS_SHIFT) accepts every write that
 *         gives each of them the result that it had. Certain, for the same reason. Where the trace
 *         says how a value was computed from what was read, other values are followed into what
 *         is written
 *   candidate  a thread always goes on. That proves nothing: candidates.h
 *
 * Where the recorded value of a read is not that of its write, a write is missing in the
 * trace; that read stops its thread if it changed, and no read accepts another write of that
 * variable. Of a read-modify-write the trace has the value written, not the one read: it accepts
 * nothing. If it changed it writes, unless it is or may be a compare-exchange.
 */
#ifndef SER_PREDICT_MODEL_H
#define SER_PREDICT_MODEL_H

#include "order/run.h"

typedef enum ser_model {
    SER_MODEL_AVP,
    SER_MODEL_DATA,
    SER_MODEL_GUARDS,
    SER_MODEL_CANDIDATE
} ser_model;

/* "avp", "data", "guards", "candidate". */
const char *ser_model_name(ser_model model);

/* The rules of the model `data`, to be finished with ser_reads_fini. O(events). */
void ser_model_make_data(ser_reads *reads, const ser_run *run);

/* The rules of the model `guards`, and whether it differs from `data`. O(events), and of each
 * variable all writes for each of the guards of its reads. */
void ser_model_make_guards(ser_reads *reads, const ser_run *run);
bool ser_model_has_guards(const ser_run *run);

/* Does an access of the run have a value? */
bool ser_model_has_values(const ser_run *run);

/* The model with the fewest interleavings that has the same ones of this trace, as far as can be
 * seen at once: `guards` without guards is `data`, and that without values and flows is `avp`. */
ser_model ser_model_shown(ser_model model, const ser_run *run);

/* Are there values that are computed from what was read? Then these rules have fewer interleavings
 * than the model; and the bounds have more, perhaps (guard_bounds.h). */
bool ser_model_computes(const ser_run *run);
void ser_model_make_guard_bounds(ser_reads *reads, const ser_run *run);

/* Those of the model `candidate`: as `data`, but no thread stops at a changed read,
 * except at a compare-exchange, as far as the trace has them. */
void ser_model_make_candidate(ser_reads *reads, const ser_run *run);

#endif
