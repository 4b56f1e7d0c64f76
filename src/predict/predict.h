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
#include "predict/results.h"
#include "predict/shard.h"

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
    /* By paths under the model avp, look first at so many events before and after a block whose
     * segment has many times more. A violation that is found there has `start`, and is checked from
     * a checkpoint (witness/checkpoints.h); 0: do not. */
    uint32_t near;
    uint32_t near_times;   /* how many times more; 0: 4 */
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

/* SER_INTERNAL if a witness does not pass the checker: a bug of ours. */
ser_status ser_predict(ser_prediction *prediction, const ser_run *run,
                       const ser_predict_options *options, ser_error *error);

/* Also NULL. */
void ser_decider_destroy(ser_decider *decider);

#endif
