/* SPDX-License-Identifier: MIT */
/*
 * ranks.h - the processes of an MPI job: rank 0 hands out jobs, all ranks do them, one at a time.
 */
#ifndef SER_CLUSTER_RANKS_H
#define SER_CLUSTER_RANKS_H

#include "cluster/plan.h"
#include "cluster/simulation.h"

typedef struct ser_ranks {
    uint32_t rank, count;
    uint32_t beside; /* how many of them are on this machine, this one included */
} ser_ranks;

/* What it cost, in seconds of processor time. */
typedef struct ser_ranks_cost {
    double jobs;    /* of all jobs, without reading a trace again that another rank has read */
    double busiest; /* of the rank that used most, with everything */
} ser_ranks_cost;

/* Once; on failure MPI ends the process. */
ser_ranks ser_ranks_start(int *argc, char ***argv);
void ser_ranks_end(void);

/* Does all jobs of the plan, which only rank 0 has, with the crew of this rank. Collective: every
 * rank calls it. `repeated` is what of the crew's time went into reading traces again. Rank 0 also
 * has `costs`, which gets what each job took. */
ser_ranks_cost ser_ranks_work(const ser_ranks *ranks, ser_job_plan *plan, const ser_crew *crew,
                              const double *repeated, ser_job_costs *costs);

/* Gives the number of rank 0 to all. */
uint64_t ser_ranks_share(uint64_t number);

/* Processor time of this process and of children that have ended. */
double ser_processor_time(void);

#endif
