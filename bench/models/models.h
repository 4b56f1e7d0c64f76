/* SPDX-License-Identifier: MIT */
/*
 * models.h - the benchmark programs of Sinha, Malik, Wang and Gupta, made anew.
 *
 * The traces behind the tables of "Predictive analysis for detecting serializability
 * violations through trace segmentation" and its sequel on SMT solvers are not public.
 * A model does what the program did, as far as its name and figures say, and
 * its run has the figures of the table: threads, events, lock events and locks, accesses
 * and variables, waits and notifies, atomic blocks. Blocks are sections without a wait.
 * How many blocks are disturbed follows the papers' results where that is easy; it is
 * no goal.
 */
#ifndef SER_BENCH_MODELS_H
#define SER_BENCH_MODELS_H

#include "program.h"

/* What the papers report, by the engine that did best. */
typedef struct paper_results {
    double segment; /* average size of the segments, in percent of the trace */
    uint32_t settled, none, violations;
} paper_results;

typedef struct model {
    const char *name;
    void (*build)(program *p);
    figures wanted;
    paper_results paper;
} model;

extern const model models[];
extern const size_t model_count;

/* NULL: there is none. */
const model *find_model(const char *name);

void build_account(program *p);
void build_barrier(program *p);
void build_conpool(program *p);
void build_daisy(program *p);
void build_elevator(program *p);
void build_liveness(program *p);
void build_philo(program *p);
void build_synchbench(program *p);
void build_thrift(program *p);
void build_tsp(program *p);

#endif
