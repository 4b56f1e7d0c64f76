/* SPDX-License-Identifier: MIT */
/*
 * seriatim explore: when prediction from one run is not enough, many runs. Each takes turns
 * in another way: at random, by PCT, or towards an order of two conflicting places that was
 * not seen yet. From each run violations are predicted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/load_run.h"
#include "cli/run_job.h"
#include "explore/coverage.h"
#include "replay/plan.h"

typedef struct exploration {
    ser_run_job *job;
    ser_coverage *coverage;
    ser_event_list order; /* to try next; empty: nothing */
    char aim[512];
    ser_plan plan; /* of the order */
    uint64_t number;
    size_t found; /* violations and failures, before the run */
} exploration;

/* Notes the orders of the last run, and chooses one to try. */
static ser_status learn(exploration *work, ser_error *error)
{
    const ser_source_settings settings = {
        .verb = "explore",
        .path = work->job->report.traces.items[work->job->report.traces.count - 1].path};
    ser_source source;
    ser_counts counts;
    ser_run *run = NULL;
    ser_status status = ser_source_open(&source, work->job->arguments, &settings, error);
    if (status == SER_OK)
        status = ser_load_run(&source, &run, &counts, error);
    ser_plan_fini(&work->plan);
    work->plan = (ser_plan){0};
    work->order.count = 0;
    if (status == SER_OK) {
        ser_coverage_add(work->coverage, run);
        if (ser_coverage_choose(work->coverage, work->number * 2654435761u, &work->order, work->aim,
                                sizeof work->aim))
            status = ser_plan_make(&work->plan, run, work->order.items, work->order.count, error);
    }
    ser_run_destroy(run);
    ser_source_close(&source);
    return status;
}

/* Turns towards an order that is missing wherever there is one, else and every third
 * time a scheduler that knows nothing. */
static ser_run_schedule next_schedule(const exploration *work)
{
    static const char *const schedulers[] = {"round-robin", "random", "pct"};
    uint64_t kind = work->number % 3;
    ser_run_schedule schedule = {
        .scheduler = schedulers[work->number == 0 ? 0 : 1 + work->number % 2],
        .seed = ser_run_first_seed(work->job) + work->number,
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
    const ser_arguments *arguments = work->job->arguments;
    if (ser_run_should_stop() || ser_clock_now() >= work->job->recording.until)
        return true;
    return ser_arguments_given(arguments, "schedules") &&
           work->number >= ser_arguments_number(arguments, "schedules");
}

static ser_status explore_all(ser_run_job *job, ser_error *error)
{
    exploration work = {.job = job, .coverage = ser_coverage_create()};
    ser_status status = SER_OK;
    job->recording.until = ser_clock_now() + ser_arguments_seconds(job->arguments, "seconds");
    job->report.wanted_runs = ser_arguments_number(job->arguments, "schedules");
    ser_progress_start("explore");
    while (status == SER_OK && !is_over(&work))
        status = explore_once(&work, error);
    ser_progress_stop();
    job->recording.until = 0; /* what was found is confirmed after that */
    job->report.orders = ser_coverage_count(work.coverage);
    ser_plan_fini(&work.plan);
    ser_vector_free(&work.order);
    ser_coverage_destroy(work.coverage);
    return ser_run_finish(job, status, error);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    return ser_run_with_job("explore", arguments, explore_all, error);
}

static const ser_option options[] = {
    {.name = "seconds",
     .letter = 's',
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "30",
     .help =
         "how long to go on with new runs; what was found is confirmed and reported after that"},
    {.name = "schedules",
     .letter = 'n',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 1000000,
     .help = "at most this many runs"},
    SER_OPTIONS_RUN,
    SER_OPTIONS_REPORT SER_OPTIONS_RECORDING,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim explore -- ./bank", "half a minute of different runs"},
    {"seriatim explore --seconds 600 --seed 7 -- ./server --selftest", "a night's work"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no run, and no interleaving of one, violates a block"},
    {SER_VIOLATION, "a block was, or can be, violated; or the program deadlocked"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, a recorded trace was refused, or something could "
                "not be written"},
    {SER_UNDECIDED, "no violation was found, and something stayed undecided or was not done"},
    {SER_INTERNAL, "a bug in seriatim"},
    {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},
    {(ser_status)SER_PROGRAM_NOT_FOUND, "the program was not found"},
    {0, NULL},
};

const ser_command ser_command_explore = {
    .name = "explore",
    .summary = "run a program under many schedules, and predict from each",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Does what run does, again and again: each run of PROGRAM is scheduled differently: at "
        "random, by PCT (few changes of priority), or so that two conflicting places of the "
        "program come in an order that was not seen before. The program's output is shown for "
        "the first run only.\n"
        "\n"
        "Each bug is reported once, with the trace and the schedule that show it. result.json has "
        "the scheduler and seed of every run. Traces in which nothing new was found are removed.",
    .options = options,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
