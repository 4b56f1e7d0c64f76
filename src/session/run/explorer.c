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
    ser_plan plan; /* of the order */
    ser_exploration limits;
    uint64_t number; /* of runs */
    uint64_t length; /* operations of the first run */
    uint64_t idle;   /* runs since something new was seen */
    size_t found;    /* violations and failures, before the run */
} exploration;

static uint64_t count_operations(const ser_run *run)
{
    uint64_t count = run->count;
    for (uint32_t i = 1; i <= run->count; i++)
        count += ser_event_left_out(&run->events[i]);
    return count;
}

/* Notes the orders of the last run, and chooses one to try. */
static ser_status learn(exploration *work, ser_error *error)
{
    const ser_run *run = work->job->last.run;
    ser_plan_fini(&work->plan);
    work->plan = (ser_plan){0};
    work->order.count = 0;
    if (!run)
        return SER_OK;
    if (work->number == 0)
        work->length = count_operations(run);
    if (ser_coverage_add(work->coverage, run) > 0)
        work->idle = 0;
    if (!ser_coverage_choose(work->coverage, work->number * 2654435761u, &work->order, work->aim,
                             sizeof work->aim))
        return SER_OK;
    return ser_plan_make(&work->plan, run, work->order.items, work->order.count, error);
}

/* Turns from one operation to as many as leave each thread a few of them in a run. */
static uint64_t next_quantum(const exploration *work)
{
    enum { LARGEST = 8 }; /* powers of two */
    const uint64_t turns = 8;
    uint64_t largest = 1;
    while (largest < LARGEST && turns << (largest + 1) <= work->length)
        largest++;
    return (uint64_t)1 << (work->number / 3 % (largest + 1));
}

/* Turns towards an order that is missing wherever there is one, else and every third
 * time a scheduler that knows nothing. */
static ser_run_schedule next_schedule(const exploration *work)
{
    uint64_t kind = work->number % 3;
    ser_run_schedule schedule = {
        .scheduler = work->number == 0  ? "round-robin"
                     : work->number % 2 ? "pct"
                                        : "random",
        .seed = work->job->options.seed + work->number,
    };
    if (work->number == 0)
        return schedule;
    schedule.depth = 2 + work->number / 6 % 4;
    schedule.quantum = next_quantum(work);
    schedule.length = work->length;
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

static size_t count_found(const exploration *work)
{
    const ser_run_report *report = &work->job->report;
    return report->bugs.list.count + report->failures.count;
}

static ser_status explore_once(exploration *work, ser_error *error)
{
    const ser_run_schedule schedule = next_schedule(work);
    const ser_run_report *report = &work->job->report;
    size_t runs = report->traces.count;
    work->found = count_found(work);
    work->idle++;
    ser_status status = ser_run_once(work->job, &schedule, work->number > 0, error);
    if (status != SER_OK || report->traces.count == runs)
        return status;
    if (count_found(work) > work->found)
        work->idle = 0;
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
    const ser_exploration *limits = &work->limits;
    return ser_run_should_stop() || ser_clock_now() >= work->job->recording.until ||
           (limits->runs && work->number >= limits->runs) ||
           (limits->patience && work->idle >= limits->patience);
}

/* The first run may take as long as it needs, unless the time of all is given. */
static ser_status explore(exploration *work, ser_error *error)
{
    ser_recording *recording = &work->job->recording;
    double start = ser_clock_now(), seconds = work->limits.seconds;
    recording->until = work->limits.times ? 0 : start + seconds;
    ser_status status = explore_once(work, error);
    if (work->limits.times) {
        double longer = work->limits.times * (ser_clock_now() - start);
        recording->until = ser_clock_now() + (longer > seconds ? longer : seconds);
    }
    while (status == SER_OK && work->number > 0 && !is_over(work))
        status = explore_once(work, error);
    recording->until = 0; /* what was found is confirmed after that */
    return status;
}

ser_status ser_explore_program(ser_run_job *job, const ser_exploration *limits, ser_error *error)
{
    exploration work = {.job = job, .limits = *limits, .coverage = ser_coverage_create()};
    job->report.wanted_runs = limits->runs;
    ser_progress_start("explore");
    ser_status status = explore(&work, error);
    ser_progress_stop();
    job->report.orders = ser_coverage_count(work.coverage);
    ser_plan_fini(&work.plan);
    ser_vector_free(&work.order);
    ser_coverage_destroy(work.coverage);
    return status;
}
