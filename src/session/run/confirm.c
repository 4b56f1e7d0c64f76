/* SPDX-License-Identifier: MIT */
/*
 * What the program prints in a replay is compared with what it prints under the schedule of the
 * first run, since later ones may be wrong themselves. That output went to the user's terminal, so
 * the run is repeated to get it: the same seed gives the same run.
 */
#include "session/run/confirm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bugs/causes.h"
#include "replay/inputs.h"
#include "session/loaded.h"
#include "session/run/deadline.h"
#include "session/run/evidence/evidence.h"
#include "session/run/evidence/outputs.h"
#include "session/run/judge/origin.h"
#include "session/run/judge/waits/attempts.h"
#include "session/run/judge/waits/awaited.h"
#include "session/run/judge/waits/polling.h"

enum { PATH_SIZE = 4096 };

typedef SER_VECTOR(size_t) bug_numbers;

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
static ser_status record_output(ser_run_job *job, const ser_input_list *inputs, const char *output,
                                ser_error *error)
{
    char path[PATH_SIZE];
    const ser_run_trace *recorded = &job->report.traces.items[0];
    ser_record_options *options = &job->recording.options;
    if (!recorded->settings || recorded->signal || access(output, F_OK) == 0 ||
        ser_run_is_over(job))
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

/* What the program did under the schedule, compared with the first run. */
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
    else if (result->signal)
        snprintf(text, size, "it happened, and signal %d (%s) ended the program%s", result->signal,
                 strsignal(result->signal), result->signal == recorded->signal ? " as before" : "");
    else if (result->status != recorded->exit)
        snprintf(text, size, "it happened, and the program ended with status %d instead of %d",
                 result->status, recorded->exit);
    else
        snprintf(text, size, "it happened, and the program ended with status %d as before",
                 result->status);
}

/* The grace is over for programs that go on for long, or for ever. */
static bool ended_otherwise(const ser_run_trace *recorded, const ser_replay_result *result)
{
    return result->deadlock || (!result->out_of_grace && (result->signal != recorded->signal ||
                                                          result->status != recorded->exit));
}

/* What was predicted says that the thread goes on there, and it waits instead, or need not wake
 * anybody: for something that was not recorded, such as a lock inside of a library. So what orders
 * the threads there is not known, and nothing is certain. */
static void note_unseen_wait(ser_bug *bug, const ser_replay_result *result)
{
    bug->is_minor |= result->waited && !result->deadlock && !bug->was_observed;
}

/* That nothing but this speaks for a block must be more than another order. */
static bool is_other_output(const ser_bug *bug, const char *before, const char *after)
{
    return bug->intention == SER_INTENTION_WHOLE ? !ser_have_same_words(before, after)
                                                 : !ser_have_same_lines(before, after);
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
    describe_ending(&job->report.traces.items[0], result, text, sizeof text);
    if (result->verdict == SER_REPLAY_SHOWN) {
        bug->status = SER_BUG_CONFIRMED;
        ser_surroundings_keep(&job->recording.around, aim->trace);
        bug->was_felt = ended_otherwise(&job->report.traces.items[0], result);
        bug->ending = (ser_ending){bug->was_felt, result->deadlock, result->signal, result->status};
        snprintf(before, sizeof before, "%s/run-1.out", job->options.folder);
        status = record_output(job, derived ? NULL : aim->inputs, before, error);
        bool is_timed = aim->inputs && ser_inputs_have_time(aim->inputs);
        if (access(before, R_OK) == 0 &&
            !ser_is_unsteady_difference(&job->report, is_timed, before, aim->output)) {
            if (!job->options.redact)
                ser_compare_outputs(before, aim->output, text, sizeof text);
            bug->was_felt |= !result->out_of_grace && is_other_output(bug, before, aim->output) &&
                             !ser_is_usual_output(&job->report, aim->output);
        }
    } else if (bug->status == SER_BUG_PREDICTED) {
        bug->status = SER_BUG_NOT_CONFIRMED;
        bug->reason = ser_replay_outcome_name(result->outcome);
        note_unseen_wait(bug, result);
    }
    if (bug->status != SER_BUG_OBSERVED) /* no replay says that it was not seen */
        bug->consequence = ser_copy_text(text, strlen(text));
    return status;
}

typedef struct shown_violations {
    const ser_run *recorded;
    ser_bug *bug;
    const ser_bugs *bugs;
    bool only_attempts; /* there is one by the definition alone */
} shown_violations;

/* Does the block itself try to take what another one holds, or ask for it, again and again? */
static bool is_waiting(const ser_run *recorded, const ser_run *replay, uint32_t begin,
                       const ser_witness_facts *facts)
{
    uint32_t from = facts->path.items[0], to = facts->path.items[facts->path.count - 1];
    const ser_event *first = &replay->events[from];
    if (!ser_op_begins((ser_op)replay->events[begin].op) &&
        ser_waits_in_loop(replay, begin, from, to))
        return true;
    return (ser_op_updates((ser_op)first->op) || ser_is_failed_exchange(replay, first)) &&
           ser_is_polling(replay, begin, facts, recorded);
}

/* Has the block found by a compare-exchange that another one was faster? It looks again then. The
 * recorded run may have shown another violation, of what only counts references. */
static bool tries_again(const ser_run *recorded, const ser_run *replay, uint32_t begin,
                        const ser_witness_facts *facts)
{
    const ser_event *last = &replay->events[facts->path.items[facts->path.count - 1]];
    return ser_is_failed_exchange(replay, last) && ser_is_polling(replay, begin, facts, recorded);
}

/* Is it also violated in what a lock that the program makes itself protects? */
static bool is_violated_behind(const ser_run *replay, uint32_t begin,
                               const ser_witness_facts *facts)
{
    ser_witness_facts behind = {0};
    bool violated = ser_is_violated_behind(replay, begin, facts, &behind);
    ser_witness_facts_fini(&behind);
    return violated;
}

static bool is_more_than_attempts(void *context, const ser_run *replay, uint32_t begin,
                                  const ser_witness_facts *facts)
{
    shown_violations *shown = context;
    bool only_attempts = ser_is_only_attempts(replay, begin, facts) ||
                         tries_again(shown->recorded, replay, begin, facts);
    shown->only_attempts |= only_attempts;
    if (!only_attempts && !is_waiting(shown->recorded, replay, begin, facts))
        return true;
    return is_violated_behind(replay, begin, facts);
}

/* The program took the way of the schedule, so that what is shown before is what it needed. */
static void note_shown(void *context, const ser_run *replay, uint32_t block,
                       const ser_witness_facts *facts)
{
    const shown_violations *shown = context;
    (void)block;
    if (facts->path.count)
        ser_bug_find_origin(shown->bug, shown->bugs, replay,
                            facts->path.items[facts->path.count - 1]);
}

static void note_attempts(ser_bug *bug)
{
    static const char why[] = "others only look whether they can have what it holds";
    free(bug->consequence);
    bug->consequence = ser_copy_text(why, strlen(why));
    bug->is_minor = true;
}

static ser_status replay_in(ser_run_job *job, ser_bug *bug, size_t number, ser_loaded *recorded,
                            ser_error *error)
{
    char trace[PATH_SIZE], output[PATH_SIZE];
    ser_replay_result result;
    shown_violations shown = {.recorded = recorded->run, .bug = bug, .bugs = &job->report.bugs};
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
        .grace = ser_run_short_grace(job),
        .filter = {is_more_than_attempts, &shown},
        .shown = note_shown,
        .context = &shown,
    };
    ser_status status = ser_run_find_inputs(job, recorded, &aim.inputs, error);
    if (status == SER_OK)
        status = ser_replay(&job->recording, &aim, &result, error);
    if (status == SER_OK)
        status = ser_run_note_replay(job, bug, &aim, &result, error);
    if (status == SER_OK && shown.only_attempts && bug->status == SER_BUG_NOT_CONFIRMED)
        note_attempts(bug);
    return status;
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

/* A few replays of what has one cause are enough: it becomes one entry. */
static bool is_shown_elsewhere(const ser_bugs *bugs, const ser_bug *bug)
{
    enum { ENOUGH = 3 };
    unsigned shown = 0;
    for (size_t i = 0; i < bugs->list.count && shown < ENOUGH; i++)
        shown += bugs->list.items[i].status == SER_BUG_CONFIRMED &&
                 ser_bugs_have_one_cause(&bugs->list.items[i], bug);
    return shown >= ENOUGH;
}

/* Those of the trace, the most interesting first: there may be no time for all. A cycle that only
 * the monitor has seen has no witness. */
static void list_bugs(const ser_run_job *job, size_t trace, bug_numbers *numbers)
{
    const ser_bug *bugs = job->report.bugs.list.items;
    for (size_t i = 0; i < job->report.bugs.list.count; i++) {
        if (bugs[i].trace != trace || !bugs[i].order.count || bugs[i].consequence)
            continue;
        ser_vector_push(numbers, i);
        for (size_t j = numbers->count - 1;
             j > 0 && ser_bug_by_interest(&bugs[i], &bugs[numbers->items[j - 1]]) < 0; j--) {
            numbers->items[j] = numbers->items[j - 1];
            numbers->items[j - 1] = i;
        }
    }
}

ser_status ser_run_replay(ser_run_job *job, size_t trace, ser_error *error)
{
    ser_status status = SER_OK;
    bug_numbers numbers = {0};
    ser_settings_cut(&job->recording.settings, job->settings);
    list_bugs(job, trace, &numbers);
    for (size_t i = 0; status == SER_OK && i < numbers.count && !ser_run_is_over(job); i++) {
        ser_bug *bug = &job->report.bugs.list.items[numbers.items[i]];
        if (!is_shown_elsewhere(&job->report.bugs, bug))
            status = replay_bug(job, bug, numbers.items[i] + 1, error);
    }
    ser_vector_free(&numbers);
    return status;
}
