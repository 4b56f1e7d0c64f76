/* SPDX-License-Identifier: MIT */
#include "cluster/predicting.h"

#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/translate.h"
#include "cluster/plan.h"
#include "cluster/ranks.h"
#include "session/predicting.h"
#include "session/reporting/shards.h"

/* A shard is to be small enough to be handed out, and not so small that files are most of the work:
 * it depends on the trace alone, so that a start with other ranks divides it in the same way. */
enum { BLOCKS_PER_SHARD = 4, MOST_SHARDS_OF_TRACE = 256 };

static ser_predict_choice choice_of(const ser_cluster_predictor *all)
{
    return ser_predict_choice_of(all->arguments);
}

/* A rank has one core, and its part of the machine's memory. In a shard a block gets only so much
 * time: what takes longer is divided into parts. */
static ser_predict_options options_of(ser_cluster_predictor *all, const ser_job *job)
{
    ser_predict_options options = ser_predict_options_of(all->arguments);
    double slice = ser_arguments_seconds(all->arguments, "slice");
    if (!ser_arguments_given(all->arguments, "jobs"))
        options.jobs = 1;
    if (!ser_arguments_given(all->arguments, "memory"))
        options.search.memory /= all->beside;
    if (job->kind == SER_JOB_PART)
        options.part = job->part;
    else if (slice < options.timeout || !(options.timeout > 0)) {
        options.timeout = slice;
        options.search.hurries = ser_arguments_number(all->arguments, "parts") > 1;
    }
    options.kept = &all->kept;
    options.near = ser_predict_near_of(all->arguments);
    return options;
}

/* --- the trace ----------------------------------------------------------------------- */

static void unload(ser_cluster_predictor *all)
{
    if (!all->trace)
        return;
    ser_decider_destroy(all->kept);
    ser_loaded_close(&all->loaded);
    all->kept = NULL;
    all->trace = 0;
}

static ser_status read_trace(ser_cluster_predictor *all, uint32_t number, ser_error *error)
{
    const ser_source_settings settings = {
        .verb = "predict",
        .path = ser_arguments_operand(all->arguments, number),
        .reading = ser_reading_of(all->arguments),
        .keep = true,
    };
    const ser_sift_options how = {
        .when = ser_arguments_given(all->arguments, "criterion") ? SER_SIFT_NEVER : SER_SIFT_LARGE,
        .only_avp = strcmp(ser_arguments_text(all->arguments, "model"), "avp") == 0,
        .memory = ser_arguments_number(all->arguments, "memory-total") << 20,
    };
    const ser_predict_choice choice = choice_of(all);
    const ser_predict_options options = ser_predict_options_of(all->arguments);
    ser_status status = ser_loaded_open(&all->loaded, &settings, error);
    if (status == SER_OK)
        status = ser_loaded_sift(&all->loaded, &how, error);
    if (status == SER_OK)
        status = ser_predict_choice_check(&choice, all->loaded.run, error);
    if (status == SER_OK)
        ser_predict_task(all->loaded.run, &options, &choice, all->task);
    else
        ser_error_prefix(error, "%s", settings.path);
    return status;
}

/* The first reading of a trace is part of its first job; others read it again. */
static ser_status load(ser_cluster_predictor *all, const ser_job *job, ser_error *error)
{
    if (all->trace == job->trace + 1)
        return SER_OK;
    unload(all);
    double start = ser_processor_time();
    ser_status status = read_trace(all, job->trace, error);
    all->trace = job->trace + 1;
    if (status != SER_OK)
        unload(all);
    if (job->kind != SER_JOB_OPEN)
        all->repeated += ser_processor_time() - start;
    return status;
}

/* --- jobs ----------------------------------------------------------------------------- */

static uint32_t count_shards(const ser_cluster_predictor *all)
{
    const ser_predict_choice choice = choice_of(all);
    size_t shards = ser_predict_choice_count(&choice, all->loaded.run) / BLOCKS_PER_SHARD;
    return shards < 1 ? 1 : shards > MOST_SHARDS_OF_TRACE ? MOST_SHARDS_OF_TRACE : (uint32_t)shards;
}

static ser_predict_report describe(const ser_cluster_predictor *all, const ser_job *job,
                                   const ser_prediction *prediction)
{
    const ser_counts *counts = &all->loaded.counts;
    bool is_part = job->kind == SER_JOB_PART;
    return (ser_predict_report){
        .path = all->loaded.source.path,
        .partial = all->loaded.source.stopped,
        .serializability =
            strcmp(ser_arguments_text(all->arguments, "criterion"), "serializability") == 0,
        .size = {counts->events, counts->threads, counts->locks, counts->variables, counts->blocks},
        .shard = is_part ? (ser_shard){0} : job->part,
        .part = is_part ? job->part : (ser_shard){0},
        .task = all->task,
        .prediction = prediction,
    };
}

/* The run may have only some of the trace's events. */
static uint32_t find_block(const ser_run *run, uint64_t number)
{
    for (size_t i = 0; i < run->blocks.count; i++)
        if (ser_run_number(run, run->blocks.items[i].begin) == number)
            return run->blocks.items[i].begin;
    return 0;
}

/* What was interrupted has no result, so that the next start does it. */
static ser_status decide(ser_cluster_predictor *all, const ser_job *job, ser_error *error)
{
    char path[SER_JOB_PATH_SIZE];
    ser_prediction prediction = {0};
    ser_predict_options options = options_of(all, job);
    ser_predict_choice choice = choice_of(all);
    if (job->kind == SER_JOB_PART)
        choice.block = find_block(all->loaded.run, job->block);
    else
        choice.shard = job->part;
    ser_status status = ser_predict_loaded(&prediction, &all->loaded, &choice, &options, error);
    if (status == SER_OK && (ser_should_stop() || prediction.abandoned))
        status = ser_fail(error, SER_UNDECIDED, "stopped: %s",
                          ser_stop_reason() ? ser_stop_reason() : "a thread did not end in time");
    const ser_predict_report report = describe(all, job, &prediction);
    ser_job_path(all->folders[job->trace], job, path);
    if (status == SER_OK)
        status = ser_shard_save(&report, path, error);
    ser_prediction_fini(&prediction);
    return status;
}

ser_status ser_cluster_predict(void *context, const ser_job *job, uint32_t *shards,
                               ser_error *error)
{
    ser_cluster_predictor *all = context;
    ser_status status = load(all, job, error);
    if (status != SER_OK)
        return status;
    if (job->kind != SER_JOB_OPEN)
        return decide(all, job, error);
    *shards = count_shards(all);
    return ser_shards_note(all->folders[job->trace], *shards, error);
}

void ser_cluster_predictor_fini(ser_cluster_predictor *predictor)
{
    unload(predictor);
}
