/* SPDX-License-Identifier: MIT */
#include "session/run/explorer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/output/progress.h"
#include "explore/coverage.h"
#include "replay/plan.h"
#include "session/run/once.h"
#include "session/run/sequences.h"
#include "session/run/survey/holds.h"

enum { PATIENCE_FOR_LEAST = 4 }; /* seconds, */
enum { FEWEST = 16 };            /* and longer on a crowded machine, until so many runs were made */
enum { FEWEST_LONG = 8 };        /* of a program that takes long itself, if nothing was found, */
enum { LONGEST_WAIT = 20 };      /* within so many seconds */
enum { LINGER = 50 };            /* milliseconds that requests wait for each other */

typedef struct exploration {
    ser_run_job *job;
    ser_coverage *coverage;
    ser_event_list order; /* to try next; empty: nothing */
    char aim[512];
    ser_plan plan; /* of the order */
    ser_sequences sequences;
    ser_exploration limits;
    double enough; /* when `least` runs are enough; 0: never */
    double fair;   /* when `fewest` are; 0: never */
    uint64_t fewest;
    uint64_t number;           /* of runs */
    uint64_t length;           /* operations of the longest run */
    uint64_t idle;             /* runs since something new was seen */
    size_t found;              /* violations and failures, before the run */
    uint64_t steps;            /* of the longest run, at which a turn could end */
    uint64_t received;         /* from other processes, in the first run */
    uint64_t passed_on;        /* by sockets from thread to thread, in the first run */
    uint64_t held;             /* runs in which a request was held */
    unsigned holds[SER_HOLDS]; /* after so many unlocks, the best first */
} exploration;

/* So many elided operations count as one towards the end of a turn (docs/runtime.md). */
enum { ELIDED_OF_STEP = 16 };

/* As the runtime counts them: the record that defines a place counts as a few operations. */
static uint64_t count_operations(const ser_run *run)
{
    enum { DEFINITION = 3 };
    uint64_t count = run->count + DEFINITION * (uint64_t)ser_symbols_site_count(run->symbols);
    for (uint32_t i = 1; i <= run->count; i++)
        count += ser_event_elided(&run->events[i]);
    return count;
}

/* How many orders there were up to the run that was recorded last. */
static void note_orders(exploration *work)
{
    ser_run_report *report = &work->job->report;
    size_t count = ser_run_count(report);
    if (count)
        report->traces.items[count - 1].orders = ser_coverage_count(work->coverage);
}

/* Notes the orders of the last run. */
static void learn(exploration *work)
{
    const ser_run *run = work->job->last.run;
    if (!run)
        return;
    uint64_t length = count_operations(run);
    uint64_t steps = run->count + (length - run->count) / ELIDED_OF_STEP;
    if (length > work->length)
        work->length = length;
    if (steps > work->steps)
        work->steps = steps;
    if (work->number == 0) {
        ser_sequences_begin(&work->sequences, run);
        work->received = ser_holds_received(run, "other processes");
        work->passed_on = ser_holds_received(run, "socket");
        ser_holds_find(run, work->holds);
    }
    ser_sequences_learn(&work->sequences, run);
    if (ser_coverage_add(work->coverage, run) > 0)
        work->idle = 0;
    note_orders(work);
}

/* An order of the last run to try. One that was chosen counts as tried. */
static ser_status choose_order(exploration *work, ser_error *error)
{
    const ser_run *run = work->job->last.run;
    ser_plan_fini(&work->plan);
    work->plan = (ser_plan){0};
    work->order.count = 0;
    if (!run || !ser_coverage_choose(work->coverage, work->number * 2654435761u, &work->order,
                                     work->aim, sizeof work->aim))
        return SER_OK;
    return ser_plan_make(&work->plan, run, work->order.items, work->order.count, error);
}

/* From turns of one operation to turns so long that each thread has only a few in a run. A switch
 * costs a thousand times as much as an operation, so a long run has longer turns. */
static uint64_t next_quantum(const exploration *work)
{
    enum { LARGEST = 8 }; /* powers of two */
    const uint64_t turns = 8, most_turns = 400000;
    uint64_t largest = 1, least = work->steps / most_turns + 1;
    while (largest < LARGEST && turns << (largest + 1) <= work->length)
        largest++;
    return least << (work->number / 3 % (largest + 1));
}

static void follow(ser_run_schedule *schedule, const ser_turn *turns, size_t count, const char *aim)
{
    if (!count)
        return;
    schedule->turns = turns;
    schedule->turn_count = count;
    schedule->aim = aim;
}

static bool follow_sequence(exploration *work, ser_run_schedule *schedule,
                            bool (*next)(ser_sequences *), const char *aim)
{
    if (!next(&work->sequences))
        return false;
    follow(schedule, work->sequences.turns.items, work->sequences.turns.count, aim);
    return true;
}

static bool follow_order(exploration *work, ser_run_schedule *schedule)
{
    return follow_sequence(work, schedule, ser_sequences_next_order, "one thread after the other");
}

static bool follow_interruption(exploration *work, ser_run_schedule *schedule)
{
    return follow_sequence(work, schedule, ser_sequences_next_interruption,
                           "one thread in the middle of another");
}

/* After the simplest ones, and in turns with orders of conflicting places. */
static bool follow_strides(exploration *work, ser_run_schedule *schedule)
{
    return work->number > 4 && work->number % 8 == 2 &&
           follow_sequence(work, schedule, ser_sequences_next_strides,
                           "threads that take turns step by step");
}

/* The systematic methods alternate as long as they have something to try; every fourth run is
 * left to a scheduler alone, and most of a server's, whose threads wait for clients rather than for
 * turns. If the first thread ends the program while others could still run,
 * those may never run unless a schedule makes them. */
static ser_status choose_turns(exploration *work, ser_run_schedule *schedule, ser_error *error)
{
    uint64_t kind = work->number % 4;
    if (kind == 3 || (work->received && kind > 0) ||
        (kind == 2 && follow_strides(work, schedule)) ||
        (kind != 1 && work->sequences.ends_early && follow_order(work, schedule)) ||
        (kind == 0 && follow_order(work, schedule)) ||
        (kind <= 1 && follow_interruption(work, schedule)))
        return SER_OK;
    ser_status status = choose_order(work, error);
    if (work->plan.turns.count)
        follow(schedule, work->plan.turns.items, work->plan.turns.count, work->aim);
    else
        follow_interruption(work, schedule);
    return status;
}

/* In every fourth run requests of other processes only begin together. Otherwise one is held in its
 * middle: at first the first one that can be, then any. */
static void let_requests_meet(exploration *work, ser_run_schedule *schedule)
{
    uint64_t requests = work->received ? work->received : work->passed_on;
    if (!requests)
        return;
    schedule->linger = LINGER;
    if (work->received && work->number % 4 == 3)
        return;
    schedule->hold = work->holds[work->held % SER_HOLDS];
    if (work->held >= SER_HOLDS)
        schedule->hold_after = work->number * 2654435761u % requests;
    work->held++;
}

static ser_status next_schedule(exploration *work, ser_run_schedule *schedule, ser_error *error)
{
    static const char *const schedulers[] = {"random", "pct"};
    *schedule = (ser_run_schedule){.scheduler = schedulers[(work->number + work->number / 4) % 2],
                                   .seed = work->job->options.seed + work->number};
    if (work->number == 0) {
        schedule->scheduler = "round-robin";
        return SER_OK;
    }
    schedule->depth = 2 + work->number / 6 % 4;
    schedule->quantum = next_quantum(work);
    schedule->length = work->length;
    ser_status status = choose_turns(work, schedule, error);
    if (!schedule->turn_count)
        let_requests_meet(work, schedule);
    return status;
}

/* Traces in which nothing new was found are not kept. That of a run that may hang is all that there
 * is to find out why. */
static void forget_trace(exploration *work)
{
    ser_run_report *report = &work->job->report;
    ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    if (ser_run_found(work->job) > work->found || report->traces.count == 1 || last->overran)
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

/* There will be no next run, so there is nothing to learn for it. */
static bool is_out_of_time(const exploration *work)
{
    double until = work->job->recording.until;
    return ser_run_should_stop() || (until > 0 && ser_clock_now() >= until);
}

static ser_status explore_once(exploration *work, ser_error *error)
{
    ser_run_schedule schedule;
    const ser_run_report *report = &work->job->report;
    size_t runs = report->traces.count;
    work->found = ser_run_found(work->job);
    work->idle++;
    ser_status status = next_schedule(work, &schedule, error);
    if (status == SER_OK)
        status = ser_run_once(work->job, &schedule, work->number > 0, error);
    if (status == SER_OK && report->traces.count == runs)
        work->number += work->number > 0; /* the first one must be recorded */
    if (status != SER_OK || report->traces.count == runs)
        return status;
    if (ser_run_found(work->job) > work->found)
        work->idle = 0;
    if (!is_out_of_time(work))
        learn(work);
    forget_trace(work);
    work->number++;
    show_progress(work);
    return status;
}

/* A program that starts no thread does the same under every schedule. */
static bool starts_none(const ser_run *run)
{
    for (uint32_t i = 1; run && i <= run->count; i++)
        if (ser_op_forks((ser_op)run->events[i].op))
            return false;
    return run && run->threads.count < 2;
}

/* What is probably no bug does not end the search for one, nor does what was only predicted: a
 * replay may show that it is none. */
static bool has_found_harm(const exploration *work)
{
    const ser_run_report *report = &work->job->report;
    for (size_t i = 0; i < report->bugs.list.count; i++)
        if (!report->bugs.list.items[i].is_careful && report->bugs.list.items[i].was_observed)
            return true;
    return report->failures.count > 0;
}

static bool is_over(const exploration *work)
{
    const ser_exploration *limits = &work->limits;
    return is_out_of_time(work) || work->job->is_full ||
           (work->enough > 0 && ser_clock_now() >= work->enough &&
            (work->number >= limits->least || has_found_harm(work))) ||
           (work->fair > 0 && ser_clock_now() >= work->fair && work->number >= work->fewest) ||
           (limits->runs && work->number >= limits->runs) ||
           (limits->patience && work->idle >= limits->patience);
}

/* After a first run that took so long. Where it is short, many runs are made; where it is long, as
 * that of a server which sleeps, a few are, even if that takes longer than `times` says. */
static void set_times(exploration *work, double first)
{
    double longer = work->limits.times * first, now = ser_clock_now();
    double seconds = longer > work->limits.seconds ? longer : work->limits.seconds;
    double few = first * FEWEST_LONG < LONGEST_WAIT ? first * FEWEST_LONG : LONGEST_WAIT;
    work->enough = now + seconds;
    if (work->limits.least && seconds < PATIENCE_FOR_LEAST) {
        work->fair = now + PATIENCE_FOR_LEAST;
        work->fewest = FEWEST;
        seconds = PATIENCE_FOR_LEAST * ser_host_delay_now();
    } else if (work->limits.least && seconds < few) {
        work->fair = work->enough;
        work->fewest = FEWEST_LONG;
        seconds = few;
    }
    work->job->recording.until = now + seconds;
}

/* The first run may take as long as it needs, unless the time of all is given. */
static ser_status explore(exploration *work, ser_error *error)
{
    ser_recording *recording = &work->job->recording;
    double start = ser_clock_now();
    recording->until = work->limits.times ? 0 : start + work->limits.seconds;
    ser_status status = explore_once(work, error);
    if (work->limits.times)
        set_times(work, ser_clock_now() - start);
    bool alone = starts_none(work->job->last.run);
    while (status == SER_OK && !alone && work->number > 0 && !is_over(work))
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
    ser_sequences_fini(&work.sequences);
    ser_vector_free(&work.order);
    ser_coverage_destroy(work.coverage);
    return status;
}
