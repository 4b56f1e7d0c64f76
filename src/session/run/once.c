/* SPDX-License-Identifier: MIT */
/*
 * The steps of ser_run_once: set the schedule, record, decide whether the run says anything (one
 * that was cut short says nothing), and then analyse it and note how it ended.
 */
#include "session/run/once.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "session/run/analysis/analysis.h"
#include "session/run/deadline.h"
#include "session/run/evidence/evidence.h"
#include "session/surroundings/disk.h"

/* Milliseconds that a schedule of an exploration waits for a thread: it is one of many, and a
 * server's thread may wait for a client who waits for another thread. */
enum { PATIENCE = 150 };

enum { PATH_SIZE = 4096 };

/* If the report goes to standard output, the program's own output goes to standard error. */
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
    if (schedule->linger)
        set_number(job, "linger", schedule->linger);
    if (schedule->hold)
        set_number(job, "hold", schedule->hold);
    if (schedule->hold_after)
        set_number(job, "hold_after", schedule->hold_after);
    if (schedule->turn_count && !strstr(ser_settings_text(&job->recording.settings), "replay_ms"))
        set_number(job, "replay_ms", PATIENCE);
    options->turns = schedule->turns;
    options->turn_count = schedule->turn_count;
    options->elides = schedule->turn_count > 0;
}

/* The user's choice has precedence. */
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

/* The first run defines the expected exit status, unless it stood still: it was ended then, and the
 * Java virtual machine makes a status of that. */
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
    else if (ser_failures_add_exceptions(failures, number, outcome->trace.messages.items,
                                         outcome->trace.messages.count))
        return;
    else if (trace->exit != first->exit && !first->signal && !first->deadlock)
        ser_failures_add_ending(failures, SER_FAILURE_EXIT, trace->exit, number, job->last.run);
}

static ser_status record_into(ser_run_job *job, const char *path, const char *output,
                              ser_error *error)
{
    job->recording.options.output = output;
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    job->recording.options.output = NULL;
    return status;
}

ser_status ser_run_record_quietly(ser_run_job *job, const char *path, ser_error *error)
{
    return record_into(job, path, "/dev/null", error);
}

static void name_output(const ser_run_job *job, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/printed.out", job->options.folder);
}

static void note_output(ser_run_job *job)
{
    char output[PATH_SIZE];
    name_output(job, output);
    ser_note_printed(&job->report, output);
}

static ser_status record_run(ser_run_job *job, const char *path, bool quietly, ser_error *error)
{
    char output[PATH_SIZE];
    name_output(job, output);
    if (quietly)
        return record_into(job, path, output, error);
    return job->options.aside ? record_aside(job, path, error)
                              : ser_recording_run(&job->recording, path, error);
}

/* A thread that sleeps in the first run may sleep as long while a schedule waits for it. */
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

/* A run that spins for ever would fill the disk, and take minutes to read: a part of it tells as
 * much. */
static void limit_events(ser_run_job *job)
{
    static const uint64_t times = 50, least = 1000000;
    uint64_t *limit = &job->recording.options.limit.events;
    uint64_t first = job->recording.outcome.trace.events;
    uint64_t enough = first > least / times ? times * first : least;
    *limit = enough < *limit ? enough : *limit;
}

/* Later runs are limited by how long the first one took. */
static void limit_next_runs(ser_run_job *job)
{
    static const double times = 10, least = 10; /* seconds */
    if (job->started == 1) {
        job->seconds = job->recording.outcome.seconds;
        await_sleepers(job);
    }
    if (job->started == 1)
        limit_events(job);
    if (job->started > 1 || job->recording.run_limit > 0)
        return;
    double limit = job->recording.outcome.seconds * times;
    job->recording.run_limit = limit > least ? limit : least;
}

/* Was it on its way? Some schedules switch threads at every step, which takes a hundred times as
 * long. A run that hangs does almost nothing, or the same again and again. */
static bool was_getting_on(const ser_run_job *job)
{
    static const double rate = 1000; /* events a second, also on a busy machine */
    static const uint64_t times = 10;
    const ser_finish_result *done = &job->recording.outcome.trace;
    uint64_t most = 0;
    for (size_t i = 0; i < job->report.traces.count; i++)
        if (job->report.traces.items[i].size.events > most)
            most = job->report.traces.items[i].size.events;
    return done->events <= times * most &&
           (double)(done->events + done->elided) >= rate * job->recording.outcome.seconds;
}

/* Was the run cut by the end of all runs, but far longer than all others? It may hang, which
 * must be reported. */
static bool ran_far_longer(const ser_run_job *job)
{
    static const double times = 4, least = 1; /* seconds: a busy machine delays short runs */
    double longest = 0, seconds = job->recording.until - job->run_started;
    for (size_t i = 0; i < job->report.traces.count; i++)
        if (job->report.traces.items[i].seconds > longest)
            longest = job->report.traces.items[i].seconds;
    return seconds >= least && seconds > times * longest && !was_getting_on(job);
}

/* A run says nothing if it was cut only because the whole job ended. */
static bool is_worthless(const ser_run_job *job)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    double until = job->recording.until;
    if (outcome->deadlock || job->started == 1)
        return false;
    return outcome->interrupted || outcome->out_of_time ||
           (outcome->overran && until > 0 && ser_clock_now() >= until && !ran_far_longer(job));
}

/* The last run is still analysed, for a second, when the time for new runs is over. */
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

/* Candidates are taken from the first run only: exploration varies the schedule of later runs
 * anyway. */
static bool has_candidates(const ser_run_job *job, size_t trace)
{
    return job->options.candidates && !job->options.no_replay && trace == 0;
}

void ser_run_leave_last(ser_run_job *job)
{
    size_t trace = job->report.traces.count - 1;
    if (job->last.run && (is_to_be_replayed(job, trace) || has_candidates(job, trace)))
        ser_kept_add(&job->kept, trace, &job->last, &job->predicted);
    ser_prediction_fini(&job->predicted);
    ser_loaded_close(&job->last);
    job->predicted = (ser_prediction){0};
}

ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error)
{
    char path[PATH_SIZE];
    size_t found = ser_run_found(job);
    ser_run_leave_last(job);
    snprintf(path, sizeof path, "%s/run-%zu.srt", job->options.folder,
             job->report.traces.count + 1);
    ser_run_use_schedule(job, schedule);
    job->recording.options.interruptible = true;
    if (job->started++ > 0)
        ser_recording_own(&job->recording);
    job->run_started = ser_clock_now();
    ser_status status = record_run(job, path, quietly, error);
    job->recording.options.turn_count = 0;
    job->recording.options.elides = false;
    if (status == SER_UNDECIDED && (ser_was_interrupted() || is_worthless(job)))
        return SER_OK;
    if (status == SER_UNDECIDED && job->recording.has_recorded) {
        job->report.empty_runs++;
        return SER_OK;
    }
    if (status == SER_UNDECIDED)
        return ser_fail(error, status,
                        "the program was ended before it did anything (--run-limit)");
    if (status != SER_OK)
        return status;
    if (job->started == 1)
        ser_deadline_begin(job, ser_clock_now() - job->run_started);
    limit_next_runs(job);
    if (is_worthless(job)) {
        unlink(path);
        return SER_OK;
    }
    note_outcome(job, path, schedule);
    note_output(job);
    limit_analysis(job);
    status = ser_run_analyse(&job->report, &job->options, ser_run_first(job), &job->last,
                             &job->predicted, error);
    ser_stop_at(0);
    ser_deadline_predicted(job);
    note_failure(job);
    if (ser_run_found(job) > found)
        ser_surroundings_keep(&job->recording.around, path);
    job->is_full = job->options.disk &&
                   !ser_disk_make_room(job->options.folder, job->options.disk, &job->report);
    return status;
}
