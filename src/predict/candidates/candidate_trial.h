/* SPDX-License-Identifier: MIT */
/*
 * candidate_trial.h - is there a candidate in one segment, and which reads must change for it?
 *
 * In a trial the reads of a set may change without limit, except for limits learnt from refutations
 * (lessons.h); all others are as in the model `data`. The first trial has all reads of the segment
 * in its set. Then the set is made as small as further trials allow (delta debugging).
 */
#ifndef SER_PREDICT_CANDIDATE_TRIAL_H
#define SER_PREDICT_CANDIDATE_TRIAL_H

#include "order/index.h"
#include "predict/candidates.h"
#include "predict/candidates/lessons.h"
#include "predict/segment/segment.h"

/* A read of the set, and its rule otherwise. */
typedef struct ser_loose_read {
    uint32_t read, limit;
    bool writes_anyway;
} ser_loose_read;

typedef struct ser_candidate_trials {
    const ser_run *run; /* the model avp */
    const ser_index *index;
    const ser_lessons *lessons;
    const ser_reads *loosest; /* rules of the model `candidate` */
    const ser_predict_options *options;
    ser_run with_rules;               /* the same run with: */
    ser_reads rules;                  /* of the trial; between trials those of the model data */
    SER_VECTOR(ser_loose_read) loose; /* reads that have other ones */
    ser_checker *checker;             /* under these rules; NULL until there is a witness */
    uint64_t explored;
} ser_candidate_trials;

/* The other fields must be set; the trials must not be moved from then on. */
void ser_candidate_trials_init(ser_candidate_trials *trials);
void ser_candidate_trials_fini(ser_candidate_trials *trials);

/* Fills in changed and result of a candidate if there is one. SER_INTERNAL if a witness is
 * refused. */
ser_status ser_candidate_try(ser_candidate_trials *trials, uint32_t block,
                             const ser_segment *segment, ser_candidate *candidate, bool *found,
                             ser_error *error);

#endif
