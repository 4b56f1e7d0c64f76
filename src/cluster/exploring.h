/* SPDX-License-Identifier: MIT */
/*
 * exploring.h - the jobs of `seriatim-mpi explore`: each is a `seriatim explore` of a few schedules
 * with seeds of its own, whose folder is its result.
 */
#ifndef SER_CLUSTER_EXPLORING_H
#define SER_CLUSTER_EXPLORING_H

#include "base/options/options.h"
#include "cluster/job.h"

typedef struct ser_cluster_explorer {
    const char *program; /* seriatim */
    const char *folder;  /* for the results */
    uint64_t schedules;  /* of a job */
    char **words;        /* all that `seriatim explore` gets besides */
    size_t word_count;
} ser_cluster_explorer;

/* As ser_crew wants it; the context is a ser_cluster_explorer. */
ser_status ser_cluster_explore(void *context, const ser_job *job, uint32_t *shards,
                               ser_error *error);

/* Merges what the jobs have found into a folder beside their results, and reports it: what
 * `seriatim merge` says. */
ser_status ser_cluster_explored(const ser_cluster_explorer *explorer, uint32_t jobs,
                                ser_error *error);

#endif
