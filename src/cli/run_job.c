/* SPDX-License-Identifier: MIT */
#include "cli/run_job.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/predict_results.h"
#include "cli/report_files.h"
#include "cli/run_analysis.h"
#include "cli/run_replay.h"
#include "record/capture/spool.h"

/* --- one run ---------------------------------------------------------------- */

/* With JSON on standard output the program's own goes to standard error. */
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

uint64_t ser_run_first_seed(const ser_run_job *job)
{
    return ser_arguments_given(job->arguments, "seed")
               ? ser_arguments_number(job->arguments, "seed")
               : 1;
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
    set_number(job, "seed", schedule->seed);
    if (schedule->scheduler && !ser_arguments_given(job->arguments, "scheduler"))
        ser_settings_add(&job->recording.settings, "scheduler", schedule->scheduler);
    if (schedule->depth)
        set_number(job, "depth", schedule->depth);
    if (schedule->quantum)
        set_number(job, "quantum", schedule->quantum);
    options->turns = schedule->turns;
    options->turn_count = schedule->turn_count;
}

/* What the options say counts more than what we would choose. */
static const char *scheduler_of(const ser_run_job *job, const ser_run_schedule *schedule)
{
    return ser_arguments_given(job->arguments, "scheduler")
               ? ser_arguments_text(job->arguments, "scheduler")
               : schedule->scheduler;
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
        .exit = outcome->status,
        .signal = outcome->signal,
        .deadlock = outcome->deadlock,
        .overran = outcome->overran,
        .interrupted = outcome->interrupted,
        .cut = *outcome->stopped || outcome->out_of_time || outcome->overran ||
               (outcome->interrupted && !outcome->deadlock),
    };
    ser_vector_push(&job->report.traces, trace);
    if (outcome->deadlock)
        ser_run_add_deadlock(&job->report, job->report.traces.count - 1, NULL,
                             outcome->trace.messages.items, outcome->trace.messages.count);
}

static ser_status record_quietly(ser_run_job *job, const char *path, ser_error *error)
{
    job->recording.options.output = "/dev/null";
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    job->recording.options.output = NULL;
    return status;
}

static ser_status record_run(ser_run_job *job, const char *path, bool quietly, ser_error *error)
{
    if (quietly)
        return record_quietly(job, path, error);
    return ser_report_takes_stdout(job->arguments)
               ? record_aside(job, path, error)
               : ser_recording_run(&job->recording, path, error);
}

/* From the first run on it is known how long one takes. */
static void limit_next_runs(ser_run_job *job)
{
    static const double times = 10, least = 10; /* seconds */
    if (job->started > 1 || job->recording.run_limit > 0)
        return;
    double limit = job->recording.outcome.seconds * times;
    job->recording.run_limit = limit > least ? limit : least;
}

/* A run that was not to be ended, were it not for the end of everything, says nothing. */
static bool is_worthless(const ser_run_job *job)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    double until = job->recording.until;
    if (outcome->deadlock || job->started == 1)
        return false;
    return outcome->interrupted || outcome->out_of_time ||
           (outcome->overran && until > 0 && ser_clock_now() >= until);
}

/* What was recorded when the time for new runs was over is still looked at, for a second. */
static void limit_analysis(const ser_run_job *job)
{
    double now = ser_clock_now(), until = job->recording.until;
    if (until > 0)
        ser_stop_at(until > now + 1 ? until : now + 1);
}

ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/run-%zu.srt", job->folder, job->report.traces.count + 1);
    ser_run_use_schedule(job, schedule);
    job->recording.options.interruptible = true;
    if (job->started++ > 0)
        ser_recording_own(&job->recording);
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
    status = ser_run_analyse(&job->report, job->arguments, job->folder, error);
    ser_stop_at(0);
    return status;
}

/* --- the end ---------------------------------------------------------------- */

static ser_status write_report(const ser_run_job *job, ser_error *error)
{
    const ser_report report = {.run = &job->report};
    char path[4096];
    snprintf(path, sizeof path, "%s/result.json", job->folder);
    ser_report_print(&report, job->arguments);
    ser_status status = ser_report_save(&report, &ser_report_as_json, path, error);
    return status == SER_OK ? ser_report_save_all(&report, job->arguments, error) : status;
}

static ser_status exit_status(const ser_run_job *job)
{
    if (!ser_arguments_given(job->arguments, "program-status") || !job->report.traces.count)
        return ser_run_verdict(&job->report);
    return (ser_status)job->report.traces.items[job->report.traces.count - 1].exit;
}

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
    return ser_arguments_given(job->arguments, "no-replay") ? 0 : count;
}

/* Is there something that only lack of time has kept us from? */
static void note_what_is_missing(ser_run_job *job)
{
    ser_run_report *report = &job->report;
    bool missing = report->wanted_runs == 0 || report->traces.count < report->wanted_runs;
    for (size_t i = 0; i < report->traces.count; i++)
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

ser_status ser_run_finish(ser_run_job *job, ser_status status, ser_error *error)
{
    ser_error writing = {0};
    if (!job->report.traces.count && status != SER_OK)
        return status;
    job->report.command = job->recording.options.command;
    if (ser_arguments_given(job->arguments, "atomic"))
        job->report.atomic = ser_arguments_text(job->arguments, "atomic");
    if (status == SER_OK && !ser_arguments_given(job->arguments, "no-replay"))
        status = ser_run_replay(job, error);
    note_what_is_missing(job);
    ser_bugs_rank(&job->report.bugs);
    ser_status written = write_report(job, &writing);
    if (status != SER_OK)
        return status;
    if (written != SER_OK)
        *error = writing;
    return written != SER_OK ? written : exit_status(job);
}

/* What a run makes, also half-written. */
static bool is_ours(const char *name)
{
    static const char *const patterns[] = {
        "run-*.srt",   "run-*.out", "replay-*.srt", "replay-*.out", "violation-*.schedule",
        "result.json", "again.srt"};
    char base[NAME_MAX + 1];
    size_t length = strlen(name), suffix = strlen(".tmpXXXXXX");
    snprintf(base, sizeof base, "%s", name);
    if (length > suffix && fnmatch("*.tmp??????", name, 0) == 0)
        base[length - suffix] = '\0';
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], base, 0) == 0)
            return true;
    return false;
}

/* Spools of runs that were killed: nobody will finish them, since the folder is used anew. */
static void remove_dead_spool(const char *folder, const char *name)
{
    char *path;
    if (fnmatch("*.srt.part", name, 0) != 0 || asprintf(&path, "%s/%s", folder, name) < 0)
        return;
    ser_spool_remove_dead(path);
    free(path);
}

/* What an earlier run has left must not be taken for what this one makes. */
static ser_status prepare_folder(const char *folder, ser_error *error)
{
    ser_status status = ser_make_folder(folder, error);
    DIR *entries = status == SER_OK ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (is_ours(entry->d_name))
            unlinkat(dirfd(entries), entry->d_name, 0);
        else
            remove_dead_spool(folder, entry->d_name);
    }
    if (entries)
        closedir(entries);
    return status;
}

ser_status ser_run_with_job(const char *name, const ser_arguments *arguments,
                            ser_status (*do_it)(ser_run_job *job, ser_error *error),
                            ser_error *error)
{
    ser_run_job work = {.arguments = arguments,
                        .folder = ser_arguments_text(arguments, "output"),
                        .report.name = name};
    bool help = false;
    ser_status status = ser_recording_init(&work.recording, arguments, 0, &help, error);
    if (status == SER_OK && help)
        ser_settings_help(stdout);
    work.recording.options.replaces = true;
    if (status == SER_OK && !help && (status = prepare_folder(work.folder, error)) == SER_OK)
        status = do_it(&work, error);
    ser_run_report_fini(&work.report);
    ser_recording_fini(&work.recording);
    return status;
}
