/* SPDX-License-Identifier: MIT */
/*
 * plan.h - which jobs there are, and which of them are done: what rank 0 decides.
 *
 * Jobs of a trace have their results in its folder, so that a second start does only what is
 * missing:
 *
 *     shards             how many shards the trace has
 *     shard-3-of-8.json  a part of its blocks
 *     part-120-3-of-16.json   a part of the ways to violate the block that starts at
 *                        event 120
 *
 * A block that a shard leaves undecided for lack of time is divided into parts. A rank goes on with
 * the trace that it has, then opens one that nobody has, and then helps where most is left. Not
 * thread-safe.
 */
#ifndef SER_CLUSTER_PLAN_H
#define SER_CLUSTER_PLAN_H

#include <stddef.h>

#include "cluster/job.h"

enum { SER_JOB_PATH_SIZE = 4200 };

typedef struct ser_job_plan_options {
    char *const *folders; /* one a trace */
    uint32_t traces;
    const uint64_t *sizes; /* of the traces: larger ones are begun first; NULL: all are alike */
    uint32_t ranks;
    uint32_t parts;  /* of a block that takes too long; at most 1: it stays undecided */
    uint32_t shards; /* of each trace; 0: as SER_JOB_OPEN says */
    bool again;      /* all jobs are to be done, though their results are there */
} ser_job_plan_options;

typedef struct ser_job_plan ser_job_plan;

ser_job_plan *ser_job_plan_create(const ser_job_plan_options *options);
void ser_job_plan_destroy(ser_job_plan *plan);

/* What the rank is to do next. */
ser_job ser_job_plan_next(ser_job_plan *plan, uint32_t rank);

/* The job that the rank was given is done, or has failed. */
void ser_job_plan_done(ser_job_plan *plan, const ser_job *job, uint32_t shards, bool failed);

/* How many jobs have failed. */
size_t ser_job_plan_failures(const ser_job_plan *plan);

/* The file of a job's result. */
void ser_job_path(const char *folder, const ser_job *job, char path[SER_JOB_PATH_SIZE]);

/* The number in the folder's file `shards`, and back; 0 if there is none. */
uint32_t ser_shards_known(const char *folder);
ser_status ser_shards_note(const char *folder, uint32_t shards, ser_error *error);

#endif
