/* SPDX-License-Identifier: MIT */
/*
 * results.h - what prediction says about each block: verdict, witness, and what it cost.
 */
#ifndef SER_PREDICT_RESULTS_H
#define SER_PREDICT_RESULTS_H

#include "predict/model.h"
#include "predict/search.h"
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

/* Nothing was found within these events: everything before them as observed, nothing behind them.
 * 0 to 0: that was not asked, or not answered. */
typedef struct ser_bound {
    uint64_t first, last;
} ser_bound;

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
    ser_bound bound;        /* of SER_REASON_WINDOW */
    ser_static_proof proof; /* of SER_VERDICT_STATIC */
    bool by_facts;          /* the same: facts alone (settle.h), which hold in every model */
    const char *engine;     /* that decided, or tried last: "static", or a search engine's name */
    bool skipped;           /* it was no longer wanted when its turn came: unknown */
    bool is_left;     /* for the next round (decide.h): what follows is not set, but `bound` and
                         `seconds` */
    uint32_t events;  /* of the block */
    uint64_t segment; /* events of the segment */
    uint64_t explored, constraints;
    double seconds;
    ser_model model;           /* for which the verdict is exact; of SER_VERDICT_VIOLATION: avp, if
                                  that is enough for the witness */
    ser_event_list order;      /* of SER_VERDICT_VIOLATION: the witness, from the first event on */
    uint32_t start;            /* the same: if not 0, events before this one come first, as
                                  observed, and are not in the order (options.near) */
    ser_witness_facts facts;   /* and what the checker saw */
    uint32_t relies_on;        /* an event that must not have written (reliance.h); 0: none */
    ser_triple_counts triples; /* by the criterion of triples */
    ser_triple_list real_triples; /* the same: each has passed the checker */
    SER_VECTOR(ser_triple_witness)
    triple_witnesses; /* of these but the first, which is `order`; of some if they are many */
} ser_block_result;

typedef struct ser_prediction {
    const ser_run *run;
    SER_VECTOR(ser_block_result) results; /* of the wanted blocks, by block */
    ser_survey *survey;                   /* of the model avp, if it was to be kept; or NULL */
    bool abandoned; /* threads that did not stop in time still read the run: it must not be freed */
} ser_prediction;

void ser_prediction_fini(ser_prediction *prediction);
void ser_block_result_fini(ser_block_result *result);

const char *ser_verdict_name(ser_verdict verdict);
/* NULL for SER_REASON_NONE. */
const char *ser_reason_name(ser_reason reason);

#endif
