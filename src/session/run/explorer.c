/* SPDX-License-Identifier: MIT */
#include "session/run/explorer.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output/progress.h"
#include "explore/coverage.h"
#include "replay/plan.h"

typedef struct exploration {
    ser_run_job *job;
    ser_coverage *coverage;
    ser_event_list order; /* to try next; empty: nothing */
    char aim[512];
    ser_plan plan;         /* of the order */
    uint64_t number, most; /* of runs; most 0: any number */
    size_t found;          /* violations and failures, before the run */
} exploration;

/* Notes the orders of the last run, and chooses one to try. */
static ser_status learn(exploration *work, ser_error *error)
{
    const ser_run *run = work->job->last.run;
    ser_plan_fini(&work->plan);
    work->plan = (ser_plan){0};
    work->order.count = 0;
    if (!run)
        return SER_OK;
    ser_coverage_add(work->coverage, run);
    if (!ser_coverage_choose(work->coverage, work->number * 2654435761u, &work->order, work->aim,
                             sizeof work->aim))
        return SER_OK;
    return ser_plan_make(&work->plan, run, work->order.items, work->order.count, error);
}

/* Turns towards an order that is missing wherever there is one, else and every third
 * time a scheduler that knows nothing. */
static ser_run_schedule next_schedule(const exploration *work)
{
    static const char *const schedulers[] = {"round-robin", "random", "pct"};
    uint64_t kind = work->number % 3;
    ser_run_schedule schedule = {
        .scheduler = schedulers[work->number == 0 ? 0 : 1 + work->number % 2],
        .seed = work->job->options.seed + work->number,
        .depth = 2 + work->number / 6 % 4,
        .quantum = work->number == 0 ? 1000 : (uint64_t)4 << (work->number / 3 % 7),
    };
    if (kind != 0 && work->plan.turns.count) {
        schedule.turns = work->plan.turns.items;
        schedule.turn_count = work->plan.turns.count;
        schedule.aim = work->aim;
    }
    return schedule;
}

/* Traces in which nothing new was found are not kept. */
static void forget_trace(exploration *work)
{
    ser_run_report *report = &work->job->report;
    ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    if (report->bugs.list.count + report->failures.count > work->found || report->traces.count == 1)
        return;
    last->removed = unlink(last->path) == 0;
}

static void show_progress(const exploration *work)
{
    char words[160];
    snprintf(words, sizeof words, "%zu runs, %zu orders, %zu violations",
             work->job->report.traces.count, ser_coverage_count(work->coverage),
             work->job->report.bugs.list.count);
    ser_progress_say(words, work->number, 0);
}

static ser_status explore_once(exploration *work, ser_error *error)
{
    const ser_run_schedule schedule = next_schedule(work);
    const ser_run_report *report = &work->job->report;
    size_t runs = report->traces.count;
    work->found = report->bugs.list.count + report->failures.count;
    ser_status status = ser_run_once(work->job, &schedule, work->number > 0, error);
    if (status != SER_OK || report->traces.count == runs)
        return status;
    if (!ser_run_should_stop())
        status = learn(work, error);
    if (status == SER_OK)
        forget_trace(work);
    work->number++;
    show_progress(work);
    return status;
}

static bool is_over(const exploration *work)
{
    return ser_run_should_stop() || ser_clock_now() >= work->job->recording.until ||
           (work->most && work->number >= work->most);
}

ser_status ser_explore_program(ser_run_job *job, double seconds, uint64_t runs, ser_error *error)
{
    exploration work = {.job = job, .most = runs, .coverage = ser_coverage_create()};
    ser_status status = SER_OK;
    job->recording.until = ser_clock_now() + seconds;
    job->report.wanted_runs = runs;
    ser_progress_start("explore");
    while (status == SER_OK && !is_over(&work))
        status = explore_once(&work, error);
    ser_progress_stop();
    job->recording.until = 0; /* what was found is confirmed after that */
    job->report.orders = ser_coverage_count(work.coverage);
    ser_plan_fini(&work.plan);
    ser_vector_free(&work.order);
    ser_coverage_destroy(work.coverage);
    return status;
}
