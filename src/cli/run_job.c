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

#include "base/progress.h"
#include "cli/json_file.h"
#include "cli/predict_results.h"
#include "cli/run_analysis.h"
#include "cli/run_replay.h"
#include "record/spool.h"

static bool json_on_standard_output(const ser_run_job *job)
{
    const char *path = ser_arguments_text(job->arguments, "json");
    return path && strcmp(path, "-") == 0;
}

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

/* "random, seed 3" */
static char *describe_schedule(const ser_run_schedule *schedule)
{
    char text[1024];
    int length =
        snprintf(text, sizeof text, "%s, seed %" PRIu64,
                 schedule->scheduler ? schedule->scheduler : "scheduler as given", schedule->seed);
    if (schedule->aim)
        snprintf(text + length, sizeof text - (size_t)length, ", %s", schedule->aim);
    return ser_copy_text(text, strlen(text));
}

static void note_outcome(ser_run_job *job, const char *path, const ser_run_schedule *schedule)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    const char *settings = ser_settings_text(&job->recording.settings);
    ser_run_trace trace = {
        .path = ser_copy_text(path, strlen(path)),
        .schedule = describe_schedule(schedule),
        .settings = schedule->turn_count ? NULL : ser_copy_text(settings, strlen(settings)),
        .exit = outcome->status,
        .signal = outcome->signal,
        .deadlock = outcome->deadlock,
        .cut = *outcome->stopped || outcome->out_of_time,
    };
    ser_vector_push(&job->report.traces, trace);
}

static ser_status record_quietly(ser_run_job *job, const char *path, ser_error *error)
{
    job->recording.options.output = "/dev/null";
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    job->recording.options.output = NULL;
    return status;
}

ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error)
{
    char path[4096];
    ser_status status;
    snprintf(path, sizeof path, "%s/run-%zu.srt", job->folder, job->report.traces.count + 1);
    ser_run_use_schedule(job, schedule);
    if (quietly)
        status = record_quietly(job, path, error);
    else if (json_on_standard_output(job))
        status = record_aside(job, path, error);
    else
        status = ser_recording_run(&job->recording, path, error);
    job->recording.options.turn_count = 0;
    if (status != SER_OK)
        return status;
    note_outcome(job, path, schedule);
    return ser_run_analyse(&job->report, job->arguments, job->folder, error);
}

/* --- the end ---------------------------------------------------------------- */

static ser_status write_json(const ser_run_job *job, const char *path, ser_error *error)
{
    ser_json_file file;
    ser_status status = ser_json_file_open(&file, path, error);
    if (status != SER_OK)
        return status;
    ser_run_report_json(&job->report, &file.json);
    return ser_json_file_finish(&file, error);
}

static ser_status write_report(const ser_run_job *job, ser_error *error)
{
    char path[4096];
    const char *json = ser_arguments_text(job->arguments, "json");
    snprintf(path, sizeof path, "%s/result.json", job->folder);
    ser_progress_erase();
    if (!json_on_standard_output(job))
        ser_run_report_text(&job->report, stdout);
    ser_status status = write_json(job, path, error);
    return status == SER_OK && json ? write_json(job, json, error) : status;
}

static ser_status exit_status(const ser_run_job *job)
{
    if (!ser_arguments_given(job->arguments, "program-status"))
        return ser_run_verdict(&job->report);
    return (ser_status)job->report.traces.items[job->report.traces.count - 1].exit;
}

ser_status ser_run_finish(ser_run_job *job, ser_status status, ser_error *error)
{
    ser_error writing = {0};
    if (!job->report.traces.count)
        return status != SER_OK ? status : SER_UNDECIDED;
    job->report.command = job->recording.options.command;
    if (ser_arguments_given(job->arguments, "atomic"))
        job->report.atomic = ser_arguments_text(job->arguments, "atomic");
    if (status == SER_OK && !ser_arguments_given(job->arguments, "no-replay"))
        status = ser_run_replay(job, error);
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

ser_status ser_run_with_job(const ser_arguments *arguments,
                            ser_status (*do_it)(ser_run_job *job, ser_error *error),
                            ser_error *error)
{
    ser_run_job work = {.arguments = arguments, .folder = ser_arguments_text(arguments, "output")};
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
