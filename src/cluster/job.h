/* SPDX-License-Identifier: MIT */
/*
 * job.h - what a rank is to do next. A job depends on nothing but what it names, and its result is
 * a file whose name says which it is: done twice, it gives the same.
 */
#ifndef SER_CLUSTER_JOB_H
#define SER_CLUSTER_JOB_H

#include "predict/shard.h"

typedef enum ser_job_kind {
    SER_JOB_END,   /* there is nothing more to do */
    SER_JOB_WAIT,  /* nothing now, but there may be when others are done */
    SER_JOB_OPEN,  /* find out into how many shards the blocks of a trace are divided */
    SER_JOB_SHARD, /* decide a part of the blocks, or explore a range of schedules */
    SER_JOB_PART,  /* decide one block for a part of the ways to violate it */
} ser_job_kind;

typedef struct ser_job {
    ser_job_kind kind;
    uint32_t trace;
    ser_shard part; /* of the trace's blocks, or of the ways to violate the block */
    uint64_t block; /* of SER_JOB_PART: number of its first event */
} ser_job;

/* How a rank does its jobs. Results are files; *shards is for SER_JOB_OPEN. */
typedef struct ser_crew {
    ser_status (*work)(void *context, const ser_job *job, uint32_t *shards, ser_error *error);
    void *context;
} ser_crew;

#endif
