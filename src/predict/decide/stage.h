/* SPDX-License-Identifier: MIT */
/*
 * stage.h - a model, and all that deciding blocks by it needs.
 *
 * Blocks are decided in stages, each by a model with more interleavings than the one before: the
 * next stage skips blocks that one stage found violated; a proof holds for that stage's model only.
 * A stage after the first is bounded, and leaves the result of a block unchanged if a bound is
 * reached.
 *
 * Thread-safe from init to fini.
 */
#ifndef SER_PREDICT_STAGE_H
#define SER_PREDICT_STAGE_H

#include <pthread.h>

#include "predict/model.h"
#include "predict/predict.h"
#include "predict/triples/triples.h"
#include "predict/values/value_code.h"
#include "witness/checkpoints.h"

/* Each needs memory for every event, so there are not as many as threads may be. */
enum { SER_CHECKERS = 4 };

typedef struct ser_guarded_checker {
    pthread_mutex_t lock;
    ser_checker *checker; /* NULL until there is a witness */
} ser_guarded_checker;

typedef enum ser_survey_state {
    SER_SURVEY_MISSING,
    SER_SURVEY_MADE,
    SER_SURVEY_FAILED, /* a limit was reached: the stage is skipped */
} ser_survey_state;

typedef struct ser_stage {
    ser_model model;  /* of its interleavings */
    ser_model proves; /* for which `none` is exact; mostly the same */
    bool has_bounds;  /* its rules may have interleavings that the model has not: what is found may
                         be refused by the checker */
    const ser_run *run; /* with the rules of the model */
    ser_run with_rules; /* what it points to, unless there are none to add */
    ser_reads rules;
    ser_checker_model checked_model;
    ser_guarded_checker checkers[SER_CHECKERS];
    pthread_mutex_t lock; /* for what is below, while it is made */
    ser_survey_state state;
    ser_survey survey;
    ser_value_code *code;         /* NULL until it is asked for */
    ser_checkpoints *checkpoints; /* the same */
} ser_stage;

/* The stage must be all zero, and must not be moved from then on. Of a run with rules of its own
 * (tests), the model avp takes these. */
void ser_stage_init(ser_stage *stage, ser_model model, const ser_run *run);

/* The model `guards` where values are computed: its bounds, or as far as lists of accepted writes
 * say it, which proves something for `data` only. */
void ser_stage_init_bounds(ser_stage *stage, const ser_run *run);
void ser_stage_init_lists(ser_stage *stage, const ser_run *run);
void ser_stage_fini(ser_stage *stage);

/* Is the event a read after which its thread may go on, although it got a different write? */
bool ser_stage_lets_change(const ser_stage *stage, uint32_t event);

/* Does the model have other interleavings than avp? */
bool ser_stage_is_stronger(const ser_stage *stage);

/* Makes the survey, unless it is there. Is there one? */
bool ser_stage_survey(ser_stage *stage, const ser_survey_options *options);

/* What the program's code does with values, made when it is asked for. */
const ser_value_code *ser_stage_code(ser_stage *stage);

/* Of the run, for witnesses that begin near their block; made when they are asked for. */
const ser_checkpoints *ser_stage_checkpoints(ser_stage *stage);

/* What an order is to show. */
typedef struct ser_stage_question {
    uint32_t block;
    bool cycles;          /* the criterion of serializability */
    const ser_triple *of; /* NULL, or three accesses that are to violate it */
} ser_stage_question;

/* Is the order a witness by this model? As ser_checker_check; `worker` chooses a checker. */
ser_status ser_stage_check(ser_stage *stage, unsigned worker, const ser_stage_question *question,
                           const ser_event_list *order, ser_witness_facts *facts, ser_error *error);

#endif
