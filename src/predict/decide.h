/* SPDX-License-Identifier: MIT */
/*
 * decide.h - the answer for one block, and what all threads share that work on blocks.
 */
#ifndef SER_PREDICT_DECIDE_H
#define SER_PREDICT_DECIDE_H

#include <pthread.h>

#include "predict/predict.h"
#include "predict/reuse.h"
#include "predict/static/survey.h"

/* Each needs memory for every event, so there are not as many as threads may be. */
enum { SER_CHECKERS = 4 };

typedef struct ser_guarded_checker {
    pthread_mutex_t lock;
    ser_checker *checker; /* NULL until there is a witness */
    ser_checker *by_avp;  /* the same for the model avp, where another one is asked for */
} ser_guarded_checker;

typedef struct ser_decider {
    const ser_run *run; /* with the rules of the model */
    ser_run with_rules; /* what it points to, unless the model is avp */
    ser_reads rules;
    ser_checker_model checked_model;
    ser_predict_options options;
    ser_survey survey; /* to be made before a block is decided; given back by fini */
    ser_reuse *reuse;
    ser_guarded_checker checkers[SER_CHECKERS];
} ser_decider;

/* The decider must be all zero. */
void ser_decider_init(ser_decider *decider, const ser_run *run, const ser_predict_options *options);
void ser_decider_fini(ser_decider *decider);

/* Fills in the result of a block; any number of threads at once, each with a number of its own. It
 * is unknown soon after `stop` becomes true. SER_INTERNAL if a witness is refused. */
ser_status ser_decide_block(ser_decider *decider, unsigned worker, const atomic_bool *stop,
                            ser_block_result *result, ser_error *error);

ser_reason ser_reason_of_overrun(ser_overrun overrun);

#endif
