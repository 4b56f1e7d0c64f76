/* SPDX-License-Identifier: MIT */
/*
 * decide.h - decides one block; and what all threads that work on blocks share.
 */
#ifndef SER_PREDICT_DECIDE_H
#define SER_PREDICT_DECIDE_H

#include "predict/decide/stage.h"
#include "predict/predict.h"
#include "predict/reuse.h"
#include "predict/triples/fork_order.h"

enum { SER_MOST_STAGES = 3 };

/* Blocks are decided in two rounds, so that what is found soon is found for all of them before
 * anything takes all the time there is: violations near a block (nearby.c), then those of its whole
 * segment; by the criterion of serializability paths, then other cycles. */
typedef enum ser_decision_round {
    SER_ROUND_ALL,    /* not divided, or the second one */
    SER_ROUND_NEAR,   /* what it leaves unknown is for the next one */
    SER_ROUND_PATHS,  /* the same */
    SER_ROUND_CYCLES, /* there are no paths, as far as is known */
} ser_decision_round;

/* Does another round follow? */
static inline bool ser_round_is_first(ser_decision_round round)
{
    return round == SER_ROUND_NEAR || round == SER_ROUND_PATHS;
}

struct ser_decider {
    const ser_run *run; /* as given */
    ser_predict_options options;
    /* The first one's survey is to be made before a block is decided; the others make theirs
     * themselves. */
    ser_stage stages[SER_MOST_STAGES];
    size_t stage_count;
    ser_decision_round round;
    ser_stage by_avp;          /* for witnesses, where avp is not the first stage */
    ser_stage by_data;         /* the same, where data is no stage */
    ser_stage by_lists;        /* where the first stage has bounds: for what is refused there */
    ser_fork_order fork_order; /* for the criterion of triples */
    ser_reuse *reuse;
    atomic_uint_fast64_t first_microseconds, further_microseconds; /* spent in stages so far */
    atomic_uint_fast64_t value_microseconds; /* the same, in searches with values */
};

ser_decider *ser_decider_create(const ser_run *run, const ser_predict_options *options);

/* Finds what reads may do in each model, once, before the first block. It may take long. */
void ser_decider_prepare(ser_decider *decider);

/* Fills in the result of a block; any number of threads at once, each with a number of its own. It
 * is unknown soon after `stop` becomes true. SER_INTERNAL if a witness is refused. */
ser_status ser_decide_block(ser_decider *decider, unsigned worker, const atomic_bool *stop,
                            ser_block_result *result, ser_error *error);

ser_reason ser_reason_of_overrun(ser_overrun overrun);

#endif
