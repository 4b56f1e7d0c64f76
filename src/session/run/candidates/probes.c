/* SPDX-License-Identifier: MIT */
#include "session/run/candidates/probes.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "explore/inversion.h"
#include "explore/missed.h"
#include "replay/plan.h"
#include "session/replaying.h"
#include "session/run/confirm.h"
#include "session/schedules.h"

enum { MOST_PROBES = 6 }; /* of a job */

/* Is a bug known that the block is part of? */
static bool is_known(const ser_run_job *job, const ser_run *run, uint32_t event)
{
    const ser_run_block *block = &run->blocks.items[run->block_of[event] - 1];
    const char *location = ser_symbols_shown_location(run->symbols, run->events[block->begin].site);
    for (size_t i = 0; i < job->report.bugs.list.count; i++)
        if (strcmp(job->report.bugs.list.items[i].location, location) == 0)
            return true;
    return false;
}

static bool is_done(const void *context)
{
    (void)context;
    return true;
}

/* Strict turns up to the read, so that everything before it is as recorded. After it the threads
 * are free. */
static ser_status record(ser_run_job *job, const ser_plan *plan, const char *path, ser_error *error)
{
    ser_record_options *options = &job->recording.options;
    options->parallel = false;
    options->turns = plan->turns.items;
    options->turn_count = plan->turns.count;
    options->gaps = plan->gaps.items;
    options->gap_count = plan->gaps.count;
    options->output = "/dev/null";
    options->is_done = is_done;
    options->grace = ser_run_short_grace(job);
    ser_status status = ser_recording_run_quietly(&job->recording, path, error);
    options->turn_count = 0;
    options->gap_count = 0;
    options->output = NULL;
    options->is_done = NULL;
    return status == SER_UNDECIDED ? SER_OK : status; /* it was ended at once */
}

/* A deadlock is always a finding, also of a run with another purpose. The schedule names the
 * block that it stops in. */
static ser_status note_deadlock(ser_run_job *job, const ser_kept_trace *recorded, uint32_t write,
                                ser_event_list *order, ser_error *error)
{
    const ser_finish_result *result = &job->recording.outcome.trace;
    const ser_predict_report report = {.path = job->report.traces.items[recorded->number].path,
                                       .prediction = &recorded->prediction};
    const ser_block_result probe = {.block = recorded->loaded.run->block_of[write] - 1,
                                    .order = *order};
    char path[4096];
    snprintf(path, sizeof path, "%s/deadlock-%zu.schedule", job->options.folder,
             job->report.failures.count + 1);
    ser_status status = ser_write_schedule(&report, &probe, path, error);
    if (status == SER_OK)
        ser_failures_add_deadlock(&job->report.failures, recorded->number, path,
                                  result->messages.items, result->messages.count);
    return status;
}

/* `event` is in the block that a deadlock is told with. */
static ser_status try_order(ser_run_job *job, ser_kept_trace *recorded, uint32_t event,
                            ser_event_list *order, ser_derived_list *list, ser_error *error)
{
    const ser_record_outcome *outcome = &job->recording.outcome;
    const ser_input_list *inputs;
    ser_plan plan;
    char path[4096];
    snprintf(path, sizeof path, "%s/candidate-%u.srt", job->options.folder, ++job->trials.files);
    job->trials.probes++;
    ser_status status =
        ser_plan_make(&plan, recorded->loaded.run, order->items, order->count, error);
    if (status == SER_OK)
        status = ser_run_find_inputs(job, &recorded->loaded, &inputs, error);
    if (status == SER_OK) {
        ser_replay_give_inputs(&job->recording, inputs);
        status = record(job, &plan, path, error);
        job->recording.options.input_count = 0;
    }
    if (status == SER_OK && outcome->deadlock)
        status = note_deadlock(job, recorded, event, order, error);
    if (status == SER_OK && outcome->instrumented && !*outcome->stopped)
        ser_derived_add(list, path, outcome->status, outcome->signal);
    ser_plan_fini(&plan);
    return status;
}

/* For one more. */
static bool has_time(const ser_run_job *job)
{
    return job->trials.probes < MOST_PROBES && !ser_run_should_stop() &&
           ser_clock_now() < job->trials.until;
}

static ser_status try_circles(ser_run_job *job, ser_kept_trace *recorded, ser_derived_list *list,
                              ser_error *error)
{
    const ser_run *run = recorded->loaded.run;
    ser_lock_circle_list circles = {0};
    ser_status status = SER_OK;
    ser_lock_circles_find(run, &circles);
    for (size_t i = 0; status == SER_OK && i < circles.count && has_time(job); i++) {
        const ser_lock_circle *circle = &circles.items[i];
        uint32_t event = circle->steps[0].inner;
        ser_event_list order = {0};
        if (!run->block_of[event])
            continue;
        ser_lock_circle_make(run, circle, &order);
        status = try_order(job, recorded, event, &order, list, error);
        ser_vector_free(&order);
    }
    ser_vector_free(&circles);
    return status;
}

/* The schedule of a deadlock names a block. */
static void drop_outside_of_blocks(const ser_run *run, ser_reversal_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (run->block_of[list->items[i].write])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

ser_status ser_run_probe(ser_run_job *job, ser_kept_trace *recorded, ser_derived_list *list,
                         ser_error *error)
{
    const ser_run *run = recorded->loaded.run;
    ser_reversal_list reversals = {0};
    if (!has_time(job))
        return SER_OK;
    ser_status status = try_circles(job, recorded, list, error);
    ser_inversions_find(run, &reversals);
    ser_missed_wake_ups_find(run, &reversals);
    drop_outside_of_blocks(run, &reversals);
    ser_reversals_find(run, &reversals);
    for (size_t i = 0; status == SER_OK && i < reversals.count; i++) {
        const ser_reversal *reversal = &reversals.items[i];
        if (!has_time(job))
            break;
        if (is_known(job, run, reversal->write))
            continue;
        ser_event_list order = {0};
        ser_reversal_make(run, reversal->write, reversal->read, &order);
        status = try_order(job, recorded, reversal->write, &order, list, error);
        ser_vector_free(&order);
    }
    ser_vector_free(&reversals);
    return status;
}
