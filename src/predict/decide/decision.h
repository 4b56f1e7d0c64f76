/* SPDX-License-Identifier: MIT */
/*
 * decision.h - what the parts of decide.c share: a block on its way through a stage.
 */
#ifndef SER_PREDICT_DECISION_H
#define SER_PREDICT_DECISION_H

#include "base/meter.h"
#include "predict/decide/decide.h"
#include "predict/search.h"

typedef struct ser_decision {
    ser_decider *shared;
    ser_stage *stage;
    const ser_run *run; /* the stage's */
    const ser_predict_options *options;
    unsigned worker;
    ser_meter_limits limits;
    ser_meter meter;
    uint64_t most;            /* events that a segment may have; 0: any number */
    bool was_left;            /* by the round before */
    bool only_finds;          /* that nothing is found in a segment proves nothing */
    const ser_triple *triple; /* that a witness is to show; NULL: any violation of the block */
    ser_status status;
    ser_error *error;
} ser_decision;

static inline bool ser_decision_asks_for_cycles(const ser_decision *all)
{
    return all->options->search.criterion == SER_CRITERION_SERIALIZABILITY;
}

/* What a witness for the block is to show. */
static inline ser_stage_question ser_decision_question(const ser_decision *all, uint32_t block)
{
    return (ser_stage_question){block, ser_decision_asks_for_cycles(all), all->triple};
}

/* Looks for a violation in the events around the block (nearby.c), if the options ask for it and
 * the round before has not. True: the result is one, or is left for the next round, or the status
 * is set. */
bool ser_decision_look_nearby(ser_decision *all, ser_block_result *result);

/* Makes the result a violation if its order passes the checker, smaller if it can be (accept.c).
 * Sets the status if it does not. */
void ser_decision_accept(ser_decision *all, ser_block_result *result);

/* The same of what an engine has found in a task (decide.c). */
void ser_decision_take_order(ser_decision *all, ser_block_result *result,
                             const ser_segment *segment, const ser_task *task,
                             const ser_answer *answer);

/* The answer of a task with values, by the criterion asked for, or of a triple, if it is not NULL
 * (decide_values.c). */
void ser_decision_ask_values(ser_decision *all, ser_task *task, const ser_segment *segment,
                             const ser_search_triple *triple, ser_answer *answer);

/* Decides a block with values, if what was found in the segment's task was refused. Unknown where a
 * limit is reached. */
void ser_decision_search_values(ser_decision *all, ser_block_result *result, ser_task *task,
                                const ser_segment *segment);

/* Searches in a segment (decide.c). */
void ser_decision_search(ser_decision *all, ser_block_result *result, const ser_segment *segment);

/* The exact answer of the stage (decide.c); unknown where a limit is reached. */
void ser_decision_decide(ser_decision *all, ser_block_result *result);

/* The same by the criterion of triples (decide_triples.c). */
void ser_decision_triples(ser_decision *all, ser_block_result *result);

/* Improves a result of the first stage by a later one, within bounds (further.c). */
void ser_decision_go_further(ser_decision *all, ser_stage *stage, ser_block_result *result,
                             double seconds);

#endif
