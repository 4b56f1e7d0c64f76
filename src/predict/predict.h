/* SPDX-License-Identifier: MIT */
/*
 * predict.h - for every atomic block: can an interleaving violate it?
 *
 * Each block goes through static check, segment, and the search engines that the
 * options name; a violation is reported only with a witness that the independent
 * checker has accepted over the whole trace. Blocks are worked on in parallel.
 *
 * Limits hold at any time, also while the run is surveyed: when should_stop becomes true, or the
 * process has grown by more than the memory of all jobs, the worker threads are asked to stop. If
 * they do not within a second, they are abandoned, and the results so far are returned.
 */
#ifndef SER_PREDICT_PREDICT_H
#define SER_PREDICT_PREDICT_H

#include "order/index.h"
#include "order/order.h"
#include "predict/model.h"
#include "predict/search.h"
#include "predict/shard.h"
#include "predict/static/static_check.h"
#include "predict/static/survey.h"
#include "predict/triples/triples.h"
#include "witness/checker.h"

typedef enum ser_verdict {
    SER_VERDICT_UNKNOWN,
    SER_VERDICT_STATIC, /* none, by the static check alone */
    SER_VERDICT_NONE,
    SER_VERDICT_VIOLATION,
} ser_verdict;

/* The order that shows a triple. */
typedef struct ser_triple_witness {
    uint32_t number; /* of the triple, from 0 */
    ser_event_list order;
    ser_witness_facts facts;
} ser_triple_witness;

typedef struct ser_block_result {
    uint32_t block; /* index in run->blocks */
    ser_verdict verdict;
    ser_reason reason;      /* of SER_VERDICT_UNKNOWN */
    ser_static_proof proof; /* of SER_VERDICT_STATIC */
    const char *engine;     /* that decided, or tried last: "static", or a search engine's name */
    bool skipped;           /* it was no longer wanted when its turn came: unknown */
    uint32_t events;        /* of the block */
    uint64_t segment;       /* events of the segment */
    uint64_t explored, constraints;
    double seconds;
    ser_model model;           /* for which the verdict is exact; of SER_VERDICT_VIOLATION: avp, if
                                  that is enough for the witness */
    ser_event_list order;      /* of SER_VERDICT_VIOLATION: the witness, from the first event on */
    ser_witness_facts facts;   /* and what the checker saw */
    uint32_t relies_on;        /* an event that must not have written (reliance.h); 0: none */
    ser_triple_counts triples; /* by the criterion of triples */
    ser_triple_list real_triples; /* the same: each has passed the checker */
    SER_VECTOR(ser_triple_witness)
    triple_witnesses; /* of these but the first, which is `order`; of some if they are many */
} ser_block_result;

/* What was found out about a run, on the way to decisions (predict/decide/decide.h). */
typedef struct ser_decider ser_decider;

typedef struct ser_predict_options {
    ser_model model;
    bool staged; /* avp first; blocks that it does not find violated are then decided by the model,
                    within bounds. A proof names the model that it holds for */
    const ser_search_engine *engine; /* NULL: the portfolio, "auto" */
    bool no_segment, no_static, no_minimise;
    bool keep_survey; /* for a search for candidates (candidates.h) */
    double timeout;   /* seconds per block; 0: none */
    unsigned jobs;    /* threads */
    ser_search_options search;
    ser_shard part; /* of the ways in which each block could be violated (the candidates of the
                       saturation): `none` then holds for that part alone; 0 of 0: all of them */
    /* NULL, or where facts are kept for the next call: it has the same run and options, but for
     * what is wanted, limits, and the part. NULL before the first call; to be destroyed after the
     * last one. */
    ser_decider **kept;
    uint32_t settled_from; /* events from which on a run's blocks are settled by facts first
                              (settle.h); 0: SER_SETTLED_FROM */
    size_t together; /* how many blocks are wanted, where these are only a part of the work: each
                        part then proves as much without a search as the whole does; 0: these */
    /* Is the block to be looked at? NULL: all are. */
    bool (*wanted)(const void *context, const ser_run *run, uint32_t block);
    /* Asked again before the block is worked on, never by two threads at once: is it still
     * to be looked at? NULL: it is. */
    bool (*still_wanted)(void *context, const ser_run *run, uint32_t block);
    /* Called after each block, in no particular order, never by two threads at once. */
    void (*done)(void *context, const ser_block_result *result);
    void *context;
    bool (*should_stop)(void); /* polled; once true, the remaining blocks stay unknown */
} ser_predict_options;

typedef struct ser_prediction {
    const ser_run *run;
    SER_VECTOR(ser_block_result) results; /* of the wanted blocks, by block */
    ser_survey *survey;                   /* of the model avp, if it was to be kept; or NULL */
    bool abandoned; /* threads that did not stop in time still read the run: it must not be freed */
} ser_prediction;

/* SER_INTERNAL if a witness does not pass the checker: a bug of ours. */
ser_status ser_predict(ser_prediction *prediction, const ser_run *run,
                       const ser_predict_options *options, ser_error *error);
void ser_prediction_fini(ser_prediction *prediction);
void ser_block_result_fini(ser_block_result *result);

/* Also NULL. */
void ser_decider_destroy(ser_decider *decider);

const char *ser_verdict_name(ser_verdict verdict);
/* NULL for SER_REASON_NONE. */
const char *ser_reason_name(ser_reason reason);

#endif
