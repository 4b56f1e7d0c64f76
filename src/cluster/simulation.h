/* SPDX-License-Identifier: MIT */
/*
 * simulation.h - how well would any number of ranks have been used, each with a core of its own?
 *
 * The processor time of every job is noted while the ranks work. The plan (plan.h) is then made
 * again, and its jobs are handed to simulated ranks, each of which asks when its last job is done.
 * So the answer does not depend on how fair the machine was to its processes: a rank that the
 * system starves asks seldom, and its work goes to the others.
 *
 * Not thread-safe.
 */
#ifndef SER_CLUSTER_SIMULATION_H
#define SER_CLUSTER_SIMULATION_H

#include "cluster/plan.h"

typedef struct ser_job_costs ser_job_costs;

ser_job_costs *ser_job_costs_create(void);
void ser_job_costs_destroy(ser_job_costs *costs);

/* A job took so many seconds, besides those for reading its trace again. The job SER_JOB_OPEN is
 * the reading. */
void ser_job_costs_note(ser_job_costs *costs, const ser_job *job, double seconds);

typedef struct ser_simulated {
    double jobs;    /* seconds of all jobs */
    double busiest; /* of the rank that works longest, with reading again */
    double end;     /* when the last job ends */
} ser_simulated;

/* The options but for the number of ranks are those of the plan that was carried out; its results
 * are there. Jobs that are not noted cost nothing. O(jobs * (ranks + traces)). */
ser_simulated ser_simulate(ser_job_costs *costs, const ser_job_plan_options *options,
                           uint32_t ranks);

#endif
