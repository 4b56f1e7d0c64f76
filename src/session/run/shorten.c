/* SPDX-License-Identifier: MIT */
#include "session/run/shorten.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "replay/plan.h"
#include "session/run/deadline.h"
#include "session/run/once.h"

enum { MOST_ATTEMPTS = 32, MOST_FAILURES = 4 };

typedef SER_VECTOR(ser_turn) turns;

typedef struct shortening {
    ser_run_job *job;
    ser_failure *failure;
    ser_loaded shortest; /* the best run so far */
    char path[4096];     /* of its trace, once there is one */
    char attempt[4096];  /* of the last trace */
    turns schedule;      /* that led to it */
    uint64_t switches;   /* of it */
    unsigned attempts;
    double until;
    ser_record_outcome outcome; /* of the best run, once there is one */
    bool found;
} shortening;

static uint64_t count_switches(const ser_run *run)
{
    uint64_t count = 0;
    uint32_t last = SER_NO_OBJECT;
    for (uint32_t i = 1; i <= run->count; i++) {
        if (!run->eid[i])
            continue;
        count += last != SER_NO_OBJECT && run->events[i].thread != last;
        last = run->events[i].thread;
    }
    return count;
}

static bool load(const ser_run_job *job, const char *path, ser_loaded *loaded)
{
    const ser_source_settings settings = {
        .verb = "shorten", .path = path, .reading = job->options.reading};
    ser_error ignored;
    return ser_loaded_make(loaded, &settings, &ignored) == SER_OK;
}

static bool has_exceptions(const ser_record_outcome *outcome, const char *wanted)
{
    char *seen =
        ser_failure_exceptions(outcome->trace.messages.items, outcome->trace.messages.count);
    bool are_same = strcmp(seen, wanted) == 0;
    free(seen);
    return are_same;
}

static bool fails_alike(const shortening *work)
{
    const ser_record_outcome *outcome = &work->job->recording.outcome;
    if (outcome->overran || outcome->interrupted || outcome->out_of_time)
        return outcome->deadlock && work->failure->kind == SER_FAILURE_DEADLOCK;
    switch (work->failure->kind) {
    case SER_FAILURE_DEADLOCK:
        return outcome->deadlock;
    case SER_FAILURE_SIGNAL:
        return outcome->signal == work->failure->code;
    case SER_FAILURE_EXCEPTION:
        return has_exceptions(outcome, work->failure->key);
    default:
        return !outcome->signal && outcome->status == work->failure->code;
    }
}

/* The turns without `count` of them from `first` on. */
static void leave_out(const turns *from, size_t first, size_t count, turns *rest)
{
    rest->count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (i < first || i >= first + count)
            ser_vector_push(rest, from->items[i]);
    for (size_t i = 0; i < rest->count; i++) {
        size_t next = i + 1;
        while (next < rest->count && rest->items[next].thread != rest->items[i].thread)
            next++;
        rest->items[i].following = next < rest->count ? (uint32_t)next + 1 : 0;
    }
}

/* Did the run with these turns fail, with fewer switches than the best one? */
static bool is_shorter(shortening *work, const turns *schedule, ser_loaded *loaded)
{
    ser_run_job *job = work->job;
    const ser_run_schedule how = {.scheduler = "round-robin",
                                  .seed = job->options.seed,
                                  .turns = schedule->items,
                                  .turn_count = schedule->count};
    ser_error ignored;
    ser_run_use_schedule(job, &how);
    work->attempts++;
    ser_status status = ser_run_record_quietly(job, work->attempt, &ignored);
    job->recording.options.turn_count = 0;
    job->recording.options.elides = false;
    return status == SER_OK && fails_alike(work) && load(job, work->attempt, loaded) &&
           count_switches(loaded->run) < work->switches;
}

static void take(shortening *work, ser_loaded *loaded)
{
    work->switches = count_switches(loaded->run);
    ser_loaded_close(&work->shortest);
    work->shortest = *loaded;
    *loaded = (ser_loaded){0};
    work->outcome = work->job->recording.outcome;
    work->found = rename(work->attempt, work->path) == 0;
}

static bool try_schedule(shortening *work, const turns *schedule)
{
    ser_loaded loaded = {0};
    bool better = is_shorter(work, schedule, &loaded);
    if (better)
        take(work, &loaded);
    ser_loaded_close(&loaded);
    unlink(work->attempt);
    return better;
}

static bool is_over(const shortening *work)
{
    return work->attempts >= MOST_ATTEMPTS || ser_clock_now() >= work->until ||
           ser_run_should_stop();
}

/* Later turns first: they matter least. */
static bool leave_out_parts(shortening *work, size_t size)
{
    bool better = false;
    turns rest = {0};
    for (size_t end = work->schedule.count; end > 0 && !is_over(work);) {
        size_t first = end > size ? end - size : 0;
        leave_out(&work->schedule, first, end - first, &rest);
        if (try_schedule(work, &rest)) {
            turns kept = work->schedule;
            work->schedule = rest;
            rest = kept;
            better = true;
        }
        end = first;
    }
    ser_vector_free(&rest);
    return better;
}

static ser_status plan_turns(shortening *work, ser_error *error)
{
    const ser_run *run = work->shortest.run;
    ser_event_list order = {0};
    ser_plan plan = {0};
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->eid[i])
            ser_vector_push(&order, i);
    ser_status status = ser_plan_make(&plan, run, order.items, order.count, error);
    for (size_t i = 0; status == SER_OK && i < plan.turns.count; i++)
        ser_vector_push(&work->schedule, plan.turns.items[i]);
    ser_plan_fini(&plan);
    ser_vector_free(&order);
    return status;
}

/* The shortest run is one of the report from now on. */
static void note_shortest(shortening *work)
{
    ser_run_report *report = &work->job->report;
    const ser_run_trace *seen = &report->traces.items[work->failure->seen];
    const ser_counts *counts = &work->shortest.counts;
    char words[1024];
    snprintf(words, sizeof words, "%.900s with fewer context switches", seen->path);
    ser_run_trace trace = {
        .path = ser_copy_text(work->path, strlen(work->path)),
        .schedule = ser_copy_text(words, strlen(words)),
        .seed = work->job->options.seed,
        .size = {counts->events, counts->threads, counts->locks, counts->variables, counts->blocks},
        .exit = work->outcome.status,
        .signal = work->outcome.signal,
        .deadlock = work->outcome.deadlock,
        .seconds = work->outcome.seconds,
        .derived = true,
        .shortened = true,
    };
    work->failure->trace = report->traces.count;
    ser_vector_push(&report->traces, trace);
}

static ser_status shorten(ser_run_job *job, ser_failure *failure, size_t number, ser_error *error)
{
    static const double least = 1, times = 3; /* seconds; how often as long as the first run */
    double seconds = times * job->seconds;
    shortening work = {.job = job,
                       .failure = failure,
                       .until = ser_clock_now() + (seconds > least ? seconds : least)};
    snprintf(work.path, sizeof work.path, "%s/failure-%zu.srt", job->options.folder, number + 1);
    snprintf(work.attempt, sizeof work.attempt, "%s/attempt.srt", job->options.folder);
    if (!load(job, job->report.traces.items[failure->seen].path, &work.shortest))
        return SER_OK;
    failure->seen_switches = work.switches = count_switches(work.shortest.run);
    ser_status status = plan_turns(&work, error);
    size_t size = (work.schedule.count + 1) / 2;
    while (status == SER_OK && size > 0 && !is_over(&work))
        if (!leave_out_parts(&work, size) || size > work.schedule.count)
            size /= 2;
    if (work.found)
        note_shortest(&work);
    failure->switches = work.switches;
    ser_loaded_close(&work.shortest);
    ser_vector_free(&work.schedule);
    return status;
}

ser_status ser_run_shorten_failures(ser_run_job *job, ser_error *error)
{
    ser_status status = SER_OK;
    size_t count = job->report.failures.count;
    for (size_t i = 0; status == SER_OK && i < count && i < MOST_FAILURES; i++) {
        ser_failure *failure = &job->report.failures.items[i];
        if (failure->seen != 0 && !failure->schedule && failure->kind <= SER_FAILURE_EXIT &&
            !ser_run_is_over(job))
            status = shorten(job, failure, i, error);
    }
    return status;
}
