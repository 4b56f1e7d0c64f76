/* SPDX-License-Identifier: MIT */
/*
 * The rank that is free earliest goes on (next_rank): it ends its job, and asks. If there is
 * nothing for it yet, it asks again when the next job of another one has ended.
 */
#include "cluster/simulation.h"

#include <stdlib.h>

#include "base/vector.h"

typedef struct job_cost {
    ser_job job;
    double seconds;
} job_cost;

struct ser_job_costs {
    SER_VECTOR(job_cost) list;
    bool is_sorted;
};

/* A simulated rank. */
typedef struct worker {
    double time, busy; /* seconds: when its job ends; what its jobs took */
    ser_job job;       /* that it does; SER_JOB_WAIT: none */
    uint32_t trace;    /* that it has read, counted from 1 */
    bool is_done;
} worker;

typedef struct stage {
    ser_job_costs *costs;
    const ser_job_plan_options *options;
    ser_job_plan *plan;
    worker *workers;
    uint32_t ranks;
    ser_simulated result;
} stage;

ser_job_costs *ser_job_costs_create(void)
{
    return ser_alloc(1, sizeof(ser_job_costs));
}

void ser_job_costs_destroy(ser_job_costs *costs)
{
    if (!costs)
        return;
    ser_vector_free(&costs->list);
    free(costs);
}

void ser_job_costs_note(ser_job_costs *costs, const ser_job *job, double seconds)
{
    ser_vector_push(&costs->list, ((job_cost){*job, seconds}));
    costs->is_sorted = false;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_jobs(const void *one, const void *other)
{
    const ser_job *a = &((const job_cost *)one)->job, *b = &((const job_cost *)other)->job;
    int result = compare(a->kind, b->kind);
    if (!result)
        result = compare(a->trace, b->trace);
    if (!result)
        result = compare(a->block, b->block);
    return result ? result : compare(a->part.number, b->part.number);
}

static double cost_of(ser_job_costs *costs, ser_job job)
{
    const job_cost wanted = {.job = job};
    if (!costs->is_sorted && costs->list.count > 1)
        qsort(costs->list.items, costs->list.count, sizeof *costs->list.items, compare_jobs);
    costs->is_sorted = true;
    const job_cost *found = costs->list.count
                                ? bsearch(&wanted, costs->list.items, costs->list.count,
                                          sizeof *costs->list.items, compare_jobs)
                                : NULL;
    return found ? found->seconds : 0;
}

/* Of two that are free at the same time, the one that ends a job comes first: there may be
 * something for the other one then. */
static bool is_earlier(const worker *one, const worker *other)
{
    if (one->time != other->time)
        return one->time < other->time;
    return one->job.kind != SER_JOB_WAIT && other->job.kind == SER_JOB_WAIT;
}

static worker *next_rank(const stage *all)
{
    worker *best = NULL;
    for (uint32_t i = 0; i < all->ranks; i++)
        if (!all->workers[i].is_done && (!best || is_earlier(&all->workers[i], best)))
            best = &all->workers[i];
    return best;
}

/* When the next job of another rank ends. */
static double next_end(const stage *all, double now)
{
    double next = -1;
    for (uint32_t i = 0; i < all->ranks; i++) {
        const worker *one = &all->workers[i];
        bool works = !one->is_done && one->job.kind != SER_JOB_WAIT;
        if (works && one->time >= now && (next < 0 || one->time < next))
            next = one->time;
    }
    return next < 0 ? now : next;
}

static uint32_t shards_of(const stage *all, uint32_t trace)
{
    return all->options->shards ? all->options->shards
                                : ser_shards_known(all->options->folders[trace]);
}

static void end_job(stage *all, worker *one)
{
    if (one->job.kind != SER_JOB_WAIT)
        ser_job_plan_done(all->plan, &one->job, shards_of(all, one->job.trace), false);
    one->job = (ser_job){.kind = SER_JOB_WAIT};
}

/* Reading its trace is a job of its own for the first rank that does it. */
static void begin_job(stage *all, worker *one, const ser_job *job)
{
    double seconds = cost_of(all->costs, *job), whole = seconds;
    if (one->trace != job->trace + 1 && job->kind != SER_JOB_OPEN)
        whole += cost_of(all->costs, (ser_job){.kind = SER_JOB_OPEN, .trace = job->trace});
    one->trace = job->trace + 1;
    one->job = *job;
    one->time += whole;
    one->busy += whole;
    all->result.jobs += seconds;
    if (one->busy > all->result.busiest)
        all->result.busiest = one->busy;
    if (one->time > all->result.end)
        all->result.end = one->time;
}

ser_simulated ser_simulate(ser_job_costs *costs, const ser_job_plan_options *options,
                           uint32_t ranks)
{
    ser_job_plan_options again = *options;
    again.ranks = ranks;
    again.again = true;
    stage all = {.costs = costs, .options = options, .ranks = ranks};
    all.plan = ser_job_plan_create(&again);
    all.workers = ser_alloc(ranks, sizeof *all.workers);
    for (uint32_t i = 0; i < ranks; i++)
        all.workers[i].job = (ser_job){.kind = SER_JOB_WAIT};
    for (worker *one; (one = next_rank(&all)) != NULL;) {
        end_job(&all, one);
        ser_job job = ser_job_plan_next(all.plan, (uint32_t)(one - all.workers));
        if (job.kind == SER_JOB_END)
            one->is_done = true;
        else if (job.kind == SER_JOB_WAIT)
            one->time = next_end(&all, one->time);
        else
            begin_job(&all, one, &job);
    }
    ser_job_plan_destroy(all.plan);
    free(all.workers);
    return all.result;
}
