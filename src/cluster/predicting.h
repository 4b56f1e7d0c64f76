/* SPDX-License-Identifier: MIT */
/*
 * predicting.h - the jobs of `seriatim-mpi predict`, as one rank does them.
 *
 * The trace of the last job stays loaded, with the facts about it, for the next one.
 */
#ifndef SER_CLUSTER_PREDICTING_H
#define SER_CLUSTER_PREDICTING_H

#include "base/options/options.h"
#include "cluster/job.h"
#include "session/loaded.h"
#include "session/predict_task.h"

typedef struct ser_cluster_predictor {
    const ser_arguments *arguments; /* with the options of `predict`; operands are traces */
    char *const *folders;           /* for the results, one a trace */
    uint32_t beside;                /* ranks that share the memory */
    uint32_t trace;                 /* that is loaded, counted from 1; 0: none */
    ser_loaded loaded;
    ser_decider *kept;
    char task[SER_PREDICT_TASK_SIZE];
    double repeated; /* seconds of processor time for reading traces that another rank has read */
} ser_cluster_predictor;

/* As ser_crew wants it; the context is a ser_cluster_predictor. */
ser_status ser_cluster_predict(void *context, const ser_job *job, uint32_t *shards,
                               ser_error *error);
void ser_cluster_predictor_fini(ser_cluster_predictor *predictor);

#endif
