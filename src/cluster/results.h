/* SPDX-License-Identifier: MIT */
/*
 * results.h - where the results of a cluster's jobs are, and the whole that they make.
 *
 * Each trace has a sub-folder, whose name is made of the trace's bytes and of the options: another
 * trace of the same name, or other options, do not find what was done before.
 */
#ifndef SER_CLUSTER_RESULTS_H
#define SER_CLUSTER_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/options/options.h"

typedef struct ser_cluster_results {
    const ser_arguments *arguments; /* operands are traces */
    char **folders;                 /* one a trace */
    uint64_t *sizes;                /* of the traces, in bytes */
    size_t count;
} ser_cluster_results;

/* All ranks find the same names; `makes`: this one makes the folders. To be finished in any case.
 */
ser_status ser_cluster_results_init(ser_cluster_results *results, const ser_arguments *arguments,
                                    bool makes, ser_error *error);
void ser_cluster_results_fini(ser_cluster_results *results);

/* Merges the results of each trace into whole.json of its folder, and prints them. The worst
 * verdict, as an exit status. */
ser_status ser_cluster_results_report(const ser_cluster_results *results, ser_error *error);

#endif
