/* SPDX-License-Identifier: MIT */
#include "session/run/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "report/formats.h"
#include "session/folder.h"
#include "session/run/analysis.h"
#include "session/run/candidates.h"
#include "session/run/confirm.h"
#include "session/run/shorten.h"

/* --- one run ---------------------------------------------------------------- */

/* With a report on standard output the program's own goes to standard error. */
static ser_status record_aside(ser_run_job *job, const char *trace, ser_error *error)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return ser_fail(error, SER_INPUT, "standard output: %s", strerror(errno));
    ser_status status = ser_recording_run(&job->recording, trace, error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return status;
}

static void set_number(ser_run_job *job, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    ser_settings_add(&job->recording.settings, name, text);
}

void ser_run_use_schedule(ser_run_job *job, const ser_run_schedule *schedule)
{
    ser_record_options *options = &job->recording.options;
    ser_settings_cut(&job->recording.settings, job->settings);
    set_number(job, "seed", schedule->seed);
    if (schedule->scheduler && !job->options.scheduler)
        ser_settings_add(&job->recording.settings, "scheduler", schedule->scheduler);
    if (schedule->depth)
        set_number(job, "depth", schedule->depth);
    if (schedule->quantum)
        set_number(job, "quantum", schedule->quantum);
    if (schedule->length)
        set_number(job, "length", schedule->length);
    options->turns = schedule->turns;
    options->turn_count = schedule->turn_count;
}

/* What the options say counts more than what we would choose. */
static const char *scheduler_of(const ser_run_job *job, const ser_run_schedule *schedule)
{
    return job->options.scheduler ? job->options.scheduler : schedule->scheduler;
}

/* "random, seed 3" */
static char *describe_schedule(const char *scheduler, const ser_run_schedule *schedule)
{
    char text[1024];
    int length = snprintf(text, sizeof text, "%s, seed %" PRIu64,
                          scheduler ? scheduler : "scheduler as given", schedule->seed);
    if (schedule->aim)
        snprintf(text + length, sizeof text - (size_t)length, ", %s", schedule->aim);
    return ser_copy_text(text, strlen(text));
}

static void note_outcome(ser_run_job *job, const char *path, const ser_run_schedule *schedule)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    const char *settings = ser_settings_text(&job->recording.settings);
    const char *scheduler = scheduler_of(job, schedule);
    bool comes_again = !schedule->turn_count && !job->recording.options.parallel;
    ser_run_trace trace = {
        .path = ser_copy_text(path, strlen(path)),
        .schedule = describe_schedule(scheduler, schedule),
        .settings = comes_again ? ser_copy_text(settings, strlen(settings)) : NULL,
        .scheduler = scheduler ? ser_copy_text(scheduler, strlen(scheduler)) : NULL,
        .seed = schedule->seed,
        .depth = schedule->depth,
        .quantum = schedule->quantum,
        .length = schedule->length,
        .exit = outcome->status,
        .seconds = outcome->seconds,
        .signal = outcome->signal,
        .deadlock = outcome->deadlock,
        .overran = outcome->overran,
        .interrupted = outcome->interrupted,
        .cut = *outcome->stopped || outcome->out_of_time || outcome->overran ||
               (outcome->interrupted && !outcome->deadlock),
    };
    ser_vector_push(&job->report.traces, trace);
}

/* The first run says what the program's exit status should be. */
static void note_failure(ser_run_job *job)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    ser_failures *failures = &job->report.failures;
    size_t number = job->report.traces.count - 1;
    const ser_run_trace *first = &job->report.traces.items[0], *trace = first + number;
    if (job->last.run)
        ser_failures_add_memory_errors(failures, number, job->last.run);
    if (trace->deadlock)
        ser_failures_add_deadlock(failures, number, NULL, outcome->trace.messages.items,
                                  outcome->trace.messages.count);
    else if (trace->overran || trace->interrupted || outcome->out_of_time)
        return;
    else if (trace->signal)
        ser_failures_add_ending(failures, SER_FAILURE_SIGNAL, trace->signal, number, job->last.run);
    else if (trace->exit != first->exit && !first->signal)
        ser_failures_add_ending(failures, SER_FAILURE_EXIT, trace->exit, number, job->last.run);
}

ser_status ser_run_record_quietly(ser_run_job *job, const char *path, ser_error *error)
{
    job->recording.options.output = "/dev/null";
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    job->recording.options.output = NULL;
    return status;
}

static ser_status record_run(ser_run_job *job, const char *path, bool quietly, ser_error *error)
{
    if (quietly)
        return ser_run_record_quietly(job, path, error);
    return job->options.aside ? record_aside(job, path, error)
                              : ser_recording_run(&job->recording, path, error);
}

/* A thread that slept in the first run may sleep as long where a schedule waits for it. */
static void await_sleepers(ser_run_job *job)
{
    static const double usual = 0.7, longest = 5; /* seconds (contract/options.h) */
    ser_settings *settings = &job->recording.settings;
    double needed = 1.5 * job->seconds;
    ser_settings_cut(settings, job->settings);
    if (needed <= usual || strstr(ser_settings_text(settings), "replay_ms"))
        return;
    set_number(job, "replay_ms", (uint64_t)(1000 * (needed < longest ? needed : longest)));
    job->settings = strlen(ser_settings_text(settings));
}

/* From the first run on it is known how long one takes. */
static void limit_next_runs(ser_run_job *job)
{
    static const double times = 10, least = 10; /* seconds */
    if (job->started == 1) {
        job->seconds = job->recording.outcome.seconds;
        await_sleepers(job);
    }
    if (job->started > 1 || job->recording.run_limit > 0)
        return;
    double limit = job->recording.outcome.seconds * times;
    job->recording.run_limit = limit > least ? limit : least;
}

/* Until all runs were to end. Such a run may hang, which is not to be passed over in silence. */
static bool ran_far_longer(const ser_run_job *job)
{
    static const double times = 4, least = 1; /* seconds: a busy machine delays short runs */
    double longest = 0, seconds = job->recording.until - job->run_started;
    for (size_t i = 0; i < job->report.traces.count; i++)
        if (job->report.traces.items[i].seconds > longest)
            longest = job->report.traces.items[i].seconds;
    return seconds >= least && seconds > times * longest;
}

/* A run that was not to be ended, were it not for the end of everything, says nothing. */
static bool is_worthless(const ser_run_job *job)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    double until = job->recording.until;
    if (outcome->deadlock || job->started == 1)
        return false;
    return outcome->interrupted || outcome->out_of_time ||
           (outcome->overran && until > 0 && ser_clock_now() >= until && !ran_far_longer(job));
}

/* What was recorded when the time for new runs was over is still looked at, for a second. */
static void limit_analysis(const ser_run_job *job)
{
    double now = ser_clock_now(), until = job->recording.until;
    if (until > 0)
        ser_stop_at(until > now + 1 ? until : now + 1);
}

static bool is_to_be_replayed(const ser_run_job *job, size_t trace)
{
    bool found = false;
    for (size_t i = job->report.bugs.list.count; i > 0 && !found; i--)
        found = job->report.bugs.list.items[i - 1].trace == trace &&
                job->report.bugs.list.items[i - 1].order.count > 0;
    return found && !job->options.no_replay;
}

/* Only the first run: other schedules lead to others by themselves. */
static bool has_candidates(const ser_run_job *job, size_t trace)
{
    return job->options.candidates && !job->options.no_replay && trace == 0;
}

/* The trace of the last run stays in memory only if something of it is still to be replayed. */
static void leave_last(ser_run_job *job)
{
    size_t trace = job->report.traces.count - 1;
    if (job->last.run && (is_to_be_replayed(job, trace) || has_candidates(job, trace)))
        ser_kept_add(&job->kept, trace, &job->last, &job->predicted);
    ser_prediction_fini(&job->predicted);
    ser_loaded_close(&job->last);
    job->predicted = (ser_prediction){0};
}

const ser_run *ser_run_first(const ser_run_job *job)
{
    const ser_kept_trace *first = ser_kept_find(&job->kept, 0);
    return first ? first->loaded.run : NULL;
}

ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error)
{
    char path[4096];
    leave_last(job);
    snprintf(path, sizeof path, "%s/run-%zu.srt", job->options.folder,
             job->report.traces.count + 1);
    ser_run_use_schedule(job, schedule);
    job->recording.options.interruptible = true;
    if (job->started++ > 0)
        ser_recording_own(&job->recording);
    job->run_started = ser_clock_now();
    ser_status status = record_run(job, path, quietly, error);
    job->recording.options.turn_count = 0;
    if (status == SER_UNDECIDED && (ser_was_interrupted() || is_worthless(job)))
        return SER_OK;
    if (status == SER_UNDECIDED)
        return ser_fail(error, status,
                        "the program was ended before it did anything (--run-limit)");
    if (status != SER_OK)
        return status;
    limit_next_runs(job);
    if (is_worthless(job)) {
        unlink(path);
        return SER_OK;
    }
    note_outcome(job, path, schedule);
    limit_analysis(job);
    status = ser_run_analyse(&job->report, &job->options, ser_run_first(job), &job->last,
                             &job->predicted, error);
    ser_stop_at(0);
    note_failure(job);
    return status;
}

/* --- the end ---------------------------------------------------------------- */

bool ser_run_should_stop(void)
{
    return ser_was_interrupted() || ser_should_stop();
}

static uint64_t count_not_replayed(const ser_run_job *job)
{
    uint64_t count = 0;
    for (size_t i = 0; i < job->report.bugs.list.count; i++) {
        const ser_bug *bug = &job->report.bugs.list.items[i];
        count += bug->schedule && !bug->consequence;
    }
    return job->options.no_replay ? 0 : count;
}

/* Is there something that only lack of time has kept us from? */
static void note_what_is_missing(ser_run_job *job)
{
    ser_run_report *report = &job->report;
    size_t runs = ser_run_count(report);
    bool missing = report->wanted_runs == 0 || runs < report->wanted_runs;
    for (size_t i = 0; i < runs; i++)
        missing |= report->traces.items[i].unpredicted || report->traces.items[i].cut;
    report->not_replayed = count_not_replayed(job);
    missing |= report->not_replayed > 0;
    if (missing && ser_was_interrupted())
        report->stopped = "interrupted";
    else if (missing && ser_budget_exhausted())
        report->stopped = "the budget was used up";
    else
        report->not_replayed = 0;
}

/* Run by run: first what is certain, then candidates, some of whose replays are runs to predict
 * from, too, and come behind the others. */
static ser_status replay_all(ser_run_job *job, ser_error *error)
{
    ser_status status = SER_OK;
    ser_recording_own(&job->recording);
    for (size_t i = 0; status == SER_OK && i < job->report.traces.count; i++) {
        status = ser_run_replay(job, i, error);
        if (status == SER_OK)
            status = ser_run_try_candidates(job, i, error);
    }
    return status;
}

/* A trace that cannot be read again has nothing to tell. */
static bool load_again(const ser_run_job *job, size_t trace, ser_loaded *loaded)
{
    const ser_source_settings settings = {.verb = "compare",
                                          .path = job->report.traces.items[trace].path,
                                          .reading = job->options.reading};
    ser_error ignored;
    return ser_loaded_make(loaded, &settings, &ignored) == SER_OK;
}

/* Where does the run that failed part from the first, which did not? */
static void compare_failure(const ser_run_job *job, ser_failure *failure)
{
    ser_loaded good = {0}, bad = {0};
    if (load_again(job, 0, &good) && load_again(job, failure->trace, &bad))
        ser_find_difference(good.run, bad.run, &failure->difference);
    ser_loaded_close(&good);
    ser_loaded_close(&bad);
}

static void compare_failures(ser_run_job *job)
{
    for (size_t i = 0; i < job->report.failures.count && !ser_run_should_stop(); i++) {
        ser_failure *failure = &job->report.failures.items[i];
        if (failure->trace != 0 && !failure->schedule)
            compare_failure(job, failure);
    }
}

/* Does a violation show the same error of memory? One bug is one entry. */
static bool is_told(const ser_bugs *bugs, const ser_failure *failure)
{
    for (size_t i = 0; failure->kind > SER_FAILURE_EXIT && i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        for (size_t j = 0; ser_bug_memory_error(bug) && j < bug->accesses.count; j++)
            if (strcmp(bug->accesses.items[j].location, failure->location) == 0)
                return true;
    }
    return false;
}

static void drop_told_failures(ser_run_report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->failures.count; i++) {
        if (is_told(&report->bugs, &report->failures.items[i]))
            ser_failure_fini(&report->failures.items[i]);
        else
            report->failures.items[kept++] = report->failures.items[i];
    }
    report->failures.count = kept;
}

ser_status ser_run_conclude(ser_run_job *job, ser_status status, ser_error *error)
{
    if (!job->report.traces.count && status != SER_OK)
        return status;
    leave_last(job);
    job->report.name = job->options.name;
    job->report.command = job->recording.options.command;
    job->report.atomic = job->options.atomic;
    if (status == SER_OK && !job->options.no_replay)
        status = replay_all(job, error);
    if (status == SER_OK && !job->options.no_replay)
        status = ser_run_shorten_failures(job, error);
    compare_failures(job);
    note_what_is_missing(job);
    ser_bugs_rank(&job->report.bugs);
    drop_told_failures(&job->report);
    return status;
}

ser_status ser_run_save(const ser_run_job *job, ser_error *error)
{
    const ser_report report = {.run = &job->report};
    char path[4096];
    snprintf(path, sizeof path, "%s/result.json", job->options.folder);
    return ser_report_save(&report, &ser_report_as_json, path, error);
}

/* --- the whole job ---------------------------------------------------------- */

ser_status ser_run_schedules(ser_run_job *job, uint64_t schedules, ser_error *error)
{
    ser_status status = SER_OK;
    job->report.wanted_runs = schedules;
    for (uint64_t i = 0; status == SER_OK && i < schedules && !ser_run_should_stop(); i++) {
        const ser_run_schedule schedule = {.scheduler = i == 0 ? "round-robin" : "random",
                                           .seed = job->options.seed + i};
        status = ser_run_once(job, &schedule, false, error);
    }
    return status;
}

ser_status ser_run_start(ser_run_job *job, ser_error *error)
{
    job->recording.options.replaces = true;
    job->settings = strlen(ser_settings_text(&job->recording.settings));
    return ser_make_run_folder(job->options.folder, error);
}

void ser_run_job_fini(ser_run_job *job)
{
    ser_prediction_fini(&job->predicted);
    ser_loaded_close(&job->last);
    ser_kept_fini(&job->kept);
    ser_trials_fini(&job->trials);
    ser_run_report_fini(&job->report);
    ser_recording_fini(&job->recording);
}
