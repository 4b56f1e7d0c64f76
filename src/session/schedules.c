/* SPDX-License-Identifier: MIT */
#include "session/schedules.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/output/log.h"
#include "witness/schedule.h"

static ser_status write_order(const ser_predict_report *report, uint32_t block,
                              const ser_event_list *order, const ser_witness_facts *facts,
                              const char *path, ser_error *error)
{
    const ser_run *run = report->prediction->run;
    ser_schedule_source source = {
        .run = run,
        .trace = report->path,
        .block = run->blocks.items[block].begin,
        .serializability = report->serializability,
        .order = order,
        .facts = facts,
    };
    ser_output *output;
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    ser_schedule schedule;
    ser_schedule_make(&schedule, &source);
    ser_schedule_write(&schedule, output);
    ser_schedule_fini(&schedule);
    status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

ser_status ser_write_schedule(const ser_predict_report *report, const ser_block_result *result,
                              const char *path, ser_error *error)
{
    return write_order(report, result->block, &result->order, &result->facts, path, error);
}

/* By the criterion of triples: those of the others, too. */
static ser_status write_triples(const ser_predict_report *report, const ser_block_result *result,
                                ser_error *error)
{
    ser_status status = SER_OK;
    uint32_t begin = report->prediction->run->blocks.items[result->block].begin;
    for (size_t i = 0; i < result->triple_witnesses.count && status == SER_OK; i++) {
        const ser_triple_witness *witness = &result->triple_witnesses.items[i];
        char path[SER_PREDICT_PATH_SIZE];
        ser_predict_triple_path(report->schedules, begin, witness->number, path);
        status = write_order(report, result->block, &witness->order, &witness->facts, path, error);
    }
    return status;
}

ser_status ser_write_schedules(const ser_predict_report *report, bool *unwritten, ser_error *error)
{
    const ser_prediction *prediction = report->prediction;
    ser_status status = SER_OK;
    size_t late = 0;
    for (size_t i = 0; i < prediction->results.count; i++) {
        const ser_block_result *result = &prediction->results.items[i];
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        unwritten[i] = ser_should_stop_writing();
        late += unwritten[i];
        if (unwritten[i])
            continue;
        char path[SER_PREDICT_PATH_SIZE];
        uint32_t begin = prediction->run->blocks.items[result->block].begin;
        ser_predict_schedule_path(report->schedules, begin, path);
        ser_error problem = {0};
        unwritten[i] = ser_write_schedule(report, result, path, &problem) != SER_OK ||
                       write_triples(report, result, &problem) != SER_OK;
        if (unwritten[i] && status != SER_OK)
            ser_complain("%s", problem.text);
        else if (unwritten[i])
            status = ser_fail(error, problem.status, "%s", problem.text);
    }
    if (late)
        ser_warning("%zu schedules were not written: %s", late, ser_stop_reason());
    return status;
}

ser_status ser_write_candidates(const ser_predict_report *report, ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; i < report->candidates->count && status == SER_OK; i++) {
        const ser_block_result *result = &report->candidates->items[i].result;
        char path[SER_PREDICT_PATH_SIZE];
        uint32_t begin = report->prediction->run->blocks.items[result->block].begin;
        ser_predict_candidate_path(report->schedules, begin, path);
        status = ser_write_schedule(report, result, path, error);
    }
    return status;
}

static bool find_thread(const ser_run *run, const char *name, uint32_t *thread)
{
    for (*thread = 0; *thread < run->threads.count; ++*thread)
        if (strcmp(ser_symbols_name(run->symbols, SER_SPACE_THREAD, *thread), name) == 0)
            return true;
    return false;
}

ser_status ser_expand_schedule(const ser_schedule *schedule, const ser_run *run,
                               ser_event_list *order, ser_error *error)
{
    for (size_t i = 0; i < schedule->runs.count; i++) {
        const ser_schedule_run *part = &schedule->runs.items[i];
        const char *name = ser_names_text(schedule->names, part->thread);
        uint32_t thread;
        if (!find_thread(run, name, &thread) || part->first > run->count || part->first == 0 ||
            run->events[part->first].thread != thread ||
            run->eid[part->first] + part->steps - 1 > run->threads.items[thread].events.count)
            return ser_fail(error, SER_INPUT,
                            "the schedule is not one of this trace: %s has no events %u..%u", name,
                            part->first, part->last);
        for (uint32_t k = 0; k < part->steps; k++)
            ser_vector_push(order, ser_run_at(run, thread, run->eid[part->first] + k));
    }
    return SER_OK;
}

ser_status ser_read_schedule(const char *path, const ser_run *run, ser_event_list *order,
                             ser_event_list *changed, uint32_t *block, ser_error *error)
{
    ser_input *input;
    ser_schedule schedule = {0};
    ser_status status = ser_input_open(&input, path, false, error);
    if (status != SER_OK)
        return status;
    status = ser_schedule_read(&schedule, input, error);
    ser_input_close(input);
    if (status == SER_OK)
        status = ser_expand_schedule(&schedule, run, order, error);
    for (size_t i = 0; status == SER_OK && i < schedule.broken.count; i++)
        if (schedule.broken.items[i] - 1 < run->count)
            ser_vector_push(changed, schedule.broken.items[i]);
    *block = schedule.block;
    ser_schedule_fini(&schedule);
    if (status == SER_OK &&
        (*block == 0 || *block > run->count || !(run->events[*block].flags & SER_EVENT_OPENS)))
        status = ser_fail(
            error, SER_INPUT,
            "no block starts at event %u; was the trace analysed with a different --atomic?",
            *block);
    return status;
}
