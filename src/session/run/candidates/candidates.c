/* SPDX-License-Identifier: MIT */
#include "session/run/candidates/candidates.h"
#include "report/text/dossier_rows.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/topics.h"
#include "predict/candidates.h"
#include "session/run/candidates/probes.h"
#include "session/run/confirm.h"
#include "session/run/judge/harmless.h"
#include "session/run/judge/reasons.h"
#include "session/run/judge/waits/attempts.h"
#include "session/schedules.h"

enum {
    PATH_SIZE = 4096,
    SECONDS_AT_LEAST = 10, /* for all candidates of a job, */
    SECONDS_TIMES = 4,     /* and so many times as long as the first run took */
};

typedef struct trying {
    ser_run_job *job;
    size_t trace; /* its number in the report */
    ser_kept_trace *recorded;
    ser_candidate_search *search;
    bool taught;          /* the listed candidates may be out of date */
    ser_derived_list new; /* replays that took another path */
    /* The replay that is under way: */
    const ser_candidate *candidate;
    char replayed[PATH_SIZE], output[PATH_SIZE];
    ser_bug *bug; /* that it has shown; NULL: none, or a known one */
} trying;

static bool is_over(const trying *work)
{
    return ser_run_should_stop() || ser_clock_now() >= work->job->trials.until;
}

static const ser_run *run_of(const trying *work)
{
    return work->recorded->loaded.run;
}

static bool are_guessed(const trying *work)
{
    return ser_blocks_are_guessed(work->job->options.reading.atomic);
}

/* --- what a replay has shown ------------------------------------------------ */

static uint32_t last_of_path(const ser_witness_facts *facts)
{
    uint32_t last = 0;
    for (size_t i = 0; i < facts->path.count; i++)
        last = facts->path.items[i] > last ? facts->path.items[i] : last;
    return last;
}

/* The bug is described as it happened in the trace of the replay: the block may be another
 * execution of the code, and threads may have taken other paths than predicted. */
static void note_shown(void *context, const ser_run *replay, uint32_t block,
                       const ser_witness_facts *facts)
{
    trying *work = context;
    bool is_new;
    uint32_t last = last_of_path(facts);
    ser_block_result seen = {.block = replay->block_of[block] - 1,
                             .verdict = SER_VERDICT_VIOLATION,
                             .model = SER_MODEL_CANDIDATE,
                             .facts = *facts};
    ser_bug *bug =
        ser_bugs_add_predicted(&work->job->report.bugs, replay, &seen, work->trace, &is_new);
    if (!is_new)
        return;
    ser_care care = {.run = replay, .first = run_of(work), .guessed = are_guessed(work)};
    ser_care_note(&care, bug, is_new, seen.block, facts->path.items, facts->path.count);
    for (uint32_t i = 1; i <= last; i++)
        if (ser_op_takes_part((ser_op)replay->events[i].op))
            ser_vector_push(&seen.order, i);
    ser_bug_illustrate(bug, replay, &seen, &care.names);
    ser_care_fini(&care);
    ser_vector_free(&seen.order);
    work->bug = bug;
}

static ser_status write_schedule(const trying *work, const char *path, ser_error *error)
{
    const ser_predict_report report = {.path = work->job->report.traces.items[work->trace].path,
                                       .prediction = &work->recorded->prediction};
    return ser_write_schedule(&report, &work->candidate->result, path, error);
}

/* Block and schedule are those of the recorded run, so that the bug can be replayed. */
static ser_status complete_bug(trying *work, const ser_replay_aim *aim,
                               const ser_replay_result *result, ser_error *error)
{
    ser_run_job *job = work->job;
    ser_bug *bug = work->bug;
    size_t number = job->report.bugs.list.count;
    char path[PATH_SIZE];
    bug->block = aim->block;
    snprintf(path, sizeof path, "%s/violation-%zu.schedule", job->options.folder, number);
    ser_status status = write_schedule(work, path, error);
    if (status == SER_OK)
        bug->schedule = ser_copy_text(path, strlen(path));
    if (status == SER_OK)
        status = ser_run_note_replay(job, bug, aim, result, error);
    snprintf(path, sizeof path, "%s/replay-%zu.srt", job->options.folder, number);
    rename(work->replayed, path);
    snprintf(path, sizeof path, "%s/replay-%zu.out", job->options.folder, number);
    rename(work->output, path);
    return status;
}

/* The program deadlocked, which is a finding whatever the candidate was for. */
static ser_status note_deadlock(trying *work, ser_error *error)
{
    ser_run_job *job = work->job;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/deadlock-%zu.schedule", job->options.folder,
             job->report.failures.count + 1);
    ser_status status = write_schedule(work, path, error);
    if (status == SER_OK)
        ser_failures_add_deadlock(&job->report.failures, work->trace, path,
                                  job->recording.outcome.trace.messages.items,
                                  job->recording.outcome.trace.messages.count);
    return status;
}

static ser_status note_result(trying *work, const ser_replay_aim *aim,
                              const ser_replay_result *result, ser_error *error)
{
    ser_candidate_counts *counts = &work->job->report.candidates;
    ser_status status = SER_OK;
    counts->shown += result->outcome == SER_REPLAY_CONFIRMED;
    counts->refuted += result->outcome == SER_REPLAY_REFUTED;
    counts->untested += result->outcome == SER_REPLAY_UNTESTED;
    ser_log_info(REPLAY, "candidate for the block at event %u: %s%s%s", aim->block,
                 ser_replay_outcome_name(result->outcome), *result->reason ? ": " : "",
                 result->reason);
    if (work->bug)
        return complete_bug(work, aim, result, error);
    if (result->deadlock)
        status = note_deadlock(work, error);
    unlink(work->output);
    if (result->verdict == SER_REPLAY_DIVERGED && result->in_bounds)
        ser_derived_add(&work->new, work->replayed, result->status, result->signal);
    else
        unlink(work->replayed);
    return status;
}

/* --- replays ----------------------------------------------------------------- */

static bool is_a_bug(void *context, const ser_run *replay, uint32_t begin,
                     const ser_witness_facts *facts)
{
    const trying *work = context;
    const ser_judging asked = {replay, run_of(work), are_guessed(work), NULL};
    return !ser_why_no_bug(&asked, replay->block_of[begin] - 1, facts) &&
           !ser_is_only_attempts(replay, begin, facts);
}

static ser_status replay(trying *work, ser_replay_result *result, ser_error *error)
{
    ser_run_job *job = work->job;
    const ser_block_result *predicted = &work->candidate->result;
    unsigned number = ++job->trials.files;
    snprintf(work->replayed, sizeof work->replayed, "%s/candidate-%u.srt", job->options.folder,
             number);
    snprintf(work->output, sizeof work->output, "%s/candidate-%u.out", job->options.folder, number);
    work->bug = NULL;
    ser_replay_aim aim = {
        .run = run_of(work),
        .block = run_of(work)->blocks.items[predicted->block].begin,
        .order = &predicted->order,
        .changed = &work->candidate->changed,
        .trace = work->replayed,
        .reading = job->options.reading,
        .output = work->output,
        .attempts = 1,
        .grace = ser_run_short_grace(job),
        .filter = {is_a_bug, work},
        .shown = note_shown,
        .context = work,
    };
    ser_status status = ser_run_find_inputs(job, &work->recorded->loaded, &aim.inputs, error);
    if (status == SER_OK)
        status = ser_replay(&job->recording, &aim, result, error);
    return status == SER_OK ? note_result(work, &aim, result, error) : status;
}

/* One changed read, and the place where its thread went another way. */
static bool learn(trying *work, const ser_replay_result *result)
{
    const ser_event_list *changed = &work->candidate->changed;
    if (result->outcome != SER_REPLAY_REFUTED || changed->count != 1)
        return false;
    ser_candidate_search_teach(work->search, changed->items[0], result->left);
    work->taught = true;
    return true;
}

/* Replays candidates of a place until one is confirmed, or nothing more is learnt. The first was
 * listed. */
static ser_status try_place(trying *work, const ser_candidate *listed, ser_error *error)
{
    ser_candidate next = {0};
    bool goes_on = true;
    ser_status status = SER_OK;
    work->candidate = listed;
    while (status == SER_OK && goes_on && !is_over(work)) {
        uint32_t block = listed->result.block;
        unsigned *replays = ser_trials_of(&work->job->trials, run_of(work),
                                          run_of(work)->blocks.items[block].begin);
        ser_replay_result result;
        if (work->taught || work->candidate != listed) {
            ser_candidate_fini(&next);
            status = ser_candidate_search_next(work->search, listed->place, &next, &goes_on, error);
            work->candidate = &next;
        }
        if (status != SER_OK || !goes_on || *replays >= work->job->options.candidates)
            break;
        ++*replays;
        status = replay(work, &result, error);
        goes_on = status == SER_OK && learn(work, &result);
    }
    ser_candidate_fini(&next);
    work->candidate = NULL;
    return status;
}

/* A bug of the same place was found in another run. */
static bool is_known(const trying *work, const ser_candidate *candidate)
{
    const ser_run *run = run_of(work);
    const ser_event *first = &run->events[run->blocks.items[candidate->result.block].begin];
    const char *location = ser_symbols_shown_location(run->symbols, first->site);
    for (size_t i = 0; *location && i < work->job->report.bugs.list.count; i++)
        if (strcmp(work->job->report.bugs.list.items[i].location, location) == 0)
            return true;
    return false;
}

static ser_status try_all(trying *work, ser_error *error)
{
    ser_candidate_list list = {0};
    ser_stop_at(work->job->trials.until);
    ser_status status = ser_candidate_search_list(work->search, &list, error);
    ser_stop_at(0);
    for (size_t i = 0; status == SER_OK && i < list.count && !is_over(work); i++)
        if (!is_known(work, &list.items[i]))
            status = try_place(work, &list.items[i], error);
    ser_candidate_list_fini(&list);
    return status;
}

static void begin_trials(ser_run_job *job)
{
    double enough = SECONDS_TIMES * job->seconds;
    if (job->trials.until == 0)
        job->trials.until =
            ser_clock_now() + (enough > SECONDS_AT_LEAST ? enough : SECONDS_AT_LEAST);
    if (job->options.deadline > 0 && job->options.deadline < job->trials.until)
        job->trials.until = job->options.deadline;
}

ser_status ser_run_try_candidates(ser_run_job *job, size_t trace, ser_error *error)
{
    trying work = {.job = job, .trace = trace, .recorded = ser_kept_find(&job->kept, trace)};
    if (!job->options.candidates || !work.recorded || work.recorded->prediction.abandoned ||
        ser_run_should_stop()) /* to prepare a search takes seconds where the run is long */
        return SER_OK;
    begin_trials(job);
    ser_settings_cut(&job->recording.settings, job->settings);
    ser_trials_is_new(&job->trials, run_of(&work));
    ser_predict_options options = ser_effort_options(&job->options.effort);
    options.should_stop = ser_should_stop;
    work.search = ser_candidate_search_create(&work.recorded->prediction, &options);
    ser_status status = try_all(&work, error);
    ser_candidate_search_destroy(work.search);
    if (status == SER_OK && !job->report.traces.items[trace].derived)
        status = ser_run_probe(job, work.recorded, &work.new, error);
    if (status == SER_OK)
        status = ser_derived_predict(job, &work.new, error);
    ser_derived_fini(&work.new);
    return status;
}
