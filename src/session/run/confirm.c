/* SPDX-License-Identifier: MIT */
/*
 * What the program prints in a replay is compared with what it prints under the schedule
 * of the recorded run. That was on the user's terminal, so the run is repeated for it:
 * the same seed gives the same run.
 */
#include "session/run/confirm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/loaded.h"

enum { PATH_SIZE = 4096, LINE_SIZE = 160 };

/* --- output ---------------------------------------------------------------- */

static bool next_line(FILE *file, char line[LINE_SIZE])
{
    if (!file || !fgets(line, LINE_SIZE, file)) {
        *line = '\0';
        return false;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

/* Appends how the two outputs differ, if they do. */
static void compare_outputs(const char *before, const char *after, char *text, size_t size)
{
    FILE *first = fopen(before, "r"), *second = fopen(after, "r");
    char expected[LINE_SIZE], seen[LINE_SIZE];
    bool more = true;
    size_t length = strlen(text);
    while (more) {
        bool has = next_line(first, expected), has_too = next_line(second, seen);
        more = has || has_too;
        if (has && has_too && strcmp(expected, seen) != 0)
            snprintf(text + length, size - length, "; it prints \"%s\" instead of \"%s\"", seen,
                     expected);
        else if (has && !has_too)
            snprintf(text + length, size - length, "; it no longer prints \"%s\"", expected);
        else if (!has && has_too)
            snprintf(text + length, size - length, "; it also prints \"%s\"", seen);
        else
            continue;
        break;
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
}

ser_status ser_run_find_inputs(const ser_run_job *job, ser_loaded *recorded,
                               const ser_input_list **inputs, ser_error *error)
{
    *inputs = NULL;
    return job->options.no_inputs ? SER_OK : ser_loaded_inputs(recorded, inputs, error);
}

double ser_run_short_grace(const ser_run_job *job)
{
    double enough = 1 + 2 * job->seconds;
    return enough < job->options.grace ? enough : job->options.grace;
}

static bool is_done_at_once(const void *context)
{
    (void)context;
    return true;
}

/* A run that was interrupted, or takes too long, is not repeated: then there is nothing
 * to compare with. */
static ser_status record_output(ser_run_job *job, size_t trace, const ser_input_list *inputs,
                                const char *output, ser_error *error)
{
    char path[PATH_SIZE];
    const ser_run_trace *recorded = &job->report.traces.items[trace];
    ser_record_options *options = &job->recording.options;
    if (!recorded->settings || recorded->signal || access(output, F_OK) == 0)
        return SER_OK;
    ser_settings_cut(&job->recording.settings, 0);
    ser_settings_add_text(&job->recording.settings, recorded->settings);
    snprintf(path, sizeof path, "%s/again.srt", job->options.folder);
    options->output = output;
    options->is_done = is_done_at_once;
    options->grace = job->options.grace;
    ser_replay_give_inputs(&job->recording, inputs);
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    options->output = NULL;
    options->is_done = NULL;
    options->input_count = 0;
    unlink(path);
    const ser_record_outcome *outcome = &job->recording.outcome;
    if (outcome->dismissed || outcome->overran || outcome->interrupted || outcome->out_of_time)
        unlink(output);
    if (status == SER_UNDECIDED) /* it was ended before it did anything */
        status = SER_OK;
    return status;
}

/* --- one bug ---------------------------------------------------------------- */

/* What the program did under the schedule, compared with the recorded run. */
static void describe_ending(const ser_run_trace *recorded, const ser_replay_result *result,
                            char *text, size_t size)
{
    if (result->verdict == SER_REPLAY_DIVERGED && result->event)
        snprintf(text, size, "the program diverged at event %" PRIu32 ": %s", result->event,
                 result->reason);
    else if (result->verdict != SER_REPLAY_SHOWN)
        snprintf(text, size, "%s", result->reason);
    else if (result->deadlock)
        snprintf(text, size, "it happened, and the program deadlocked");
    else if (result->out_of_grace)
        snprintf(text, size, "it happened; the program went on, and was ended");
    else if (result->signal && result->signal != recorded->signal)
        snprintf(text, size, "it happened, and signal %d (%s) ended the program", result->signal,
                 strsignal(result->signal));
    else if (result->status != recorded->exit)
        snprintf(text, size, "it happened, and the program ended with status %d instead of %d",
                 result->status, recorded->exit);
    else
        snprintf(text, size, "it happened, and the program ended with status %d as before",
                 result->status);
}

ser_status ser_run_note_replay(ser_run_job *job, ser_bug *bug, const ser_replay_aim *aim,
                               const ser_replay_result *result, ser_error *error)
{
    char text[2048], before[PATH_SIZE];
    ser_status status = SER_OK;
    if (result->stopped)
        return SER_OK; /* it is as if it had not been tried */
    if (result->deadlock)
        ser_failures_add_deadlock(&job->report.failures, bug->trace, bug->schedule,
                                  job->recording.outcome.trace.messages.items,
                                  job->recording.outcome.trace.messages.count);
    bool derived = job->report.traces.items[bug->trace].derived;
    size_t baseline = derived ? 0 : bug->trace;
    describe_ending(&job->report.traces.items[baseline], result, text, sizeof text);
    if (result->verdict == SER_REPLAY_SHOWN) {
        bug->status = SER_BUG_CONFIRMED;
        snprintf(before, sizeof before, "%s/run-%zu.out", job->options.folder, baseline + 1);
        status = record_output(job, baseline, derived ? NULL : aim->inputs, before, error);
        if (access(before, R_OK) == 0)
            compare_outputs(before, aim->output, text, sizeof text);
    } else if (bug->status == SER_BUG_PREDICTED) {
        bug->status = SER_BUG_NOT_CONFIRMED;
        bug->reason = ser_replay_outcome_name(result->outcome);
    }
    bug->consequence = ser_copy_text(text, strlen(text));
    return status;
}

static ser_status replay_in(ser_run_job *job, ser_bug *bug, size_t number, ser_loaded *recorded,
                            ser_error *error)
{
    char trace[PATH_SIZE], output[PATH_SIZE];
    ser_replay_result result;
    snprintf(trace, sizeof trace, "%s/replay-%zu.srt", job->options.folder, number);
    snprintf(output, sizeof output, "%s/replay-%zu.out", job->options.folder, number);
    ser_replay_aim aim = {
        .run = recorded->run,
        .block = bug->block,
        .order = &bug->order,
        .changed = &bug->changed,
        .trace = trace,
        .reading = job->options.reading,
        .output = output,
        .attempts = job->options.attempts,
        .grace = job->options.grace,
    };
    ser_status status = ser_run_find_inputs(job, recorded, &aim.inputs, error);
    if (status == SER_OK)
        status = ser_replay(&job->recording, &aim, &result, error);
    return status == SER_OK ? ser_run_note_replay(job, bug, &aim, &result, error) : status;
}

static ser_status replay_bug(ser_run_job *job, ser_bug *bug, size_t number, ser_error *error)
{
    const ser_source_settings settings = {.verb = "replay",
                                          .path = job->report.traces.items[bug->trace].path,
                                          .reading = job->options.reading};
    ser_loaded *recorded;
    ser_status status = ser_kept_get(&job->kept, bug->trace, &settings, &recorded, error);
    return status == SER_OK ? replay_in(job, bug, number, recorded, error) : status;
}

/* A cycle that only the monitor has seen has no witness. */
ser_status ser_run_replay(ser_run_job *job, size_t trace, ser_error *error)
{
    ser_status status = SER_OK;
    ser_settings_cut(&job->recording.settings, job->settings);
    for (size_t i = 0; status == SER_OK && i < job->report.bugs.list.count; i++) {
        ser_bug *bug = &job->report.bugs.list.items[i];
        if (bug->trace == trace && bug->order.count && !bug->consequence && !ser_run_should_stop())
            status = replay_bug(job, bug, i + 1, error);
    }
    return status;
}
