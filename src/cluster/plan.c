/* SPDX-License-Identifier: MIT */
#include "cluster/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_tree.h"
#include "base/vector.h"
#include "session/reporting/shards.h"
#include "trace/io/output.h"

enum { NOBODY = UINT32_MAX };

/* A block that is decided in parts. */
typedef struct hard_block {
    uint64_t begin;
    uint32_t next; /* part to look at, from 1 */
    bool settled;  /* a part has a violation: the others do not matter */
} hard_block;

typedef struct trace_plan {
    bool opened; /* a rank has it, or will: how many shards there are is known, or will be */
    uint32_t shards, next;
    SER_VECTOR(hard_block) hard;
} trace_plan;

struct ser_job_plan {
    ser_job_plan_options options;
    trace_plan *traces;
    uint32_t *at; /* by rank: the trace that it has; NOBODY: none */
    size_t running, failures;
};

/* --- files -------------------------------------------------------------------------- */

void ser_job_path(const char *folder, const ser_job *job, char path[SER_JOB_PATH_SIZE])
{
    if (job->kind == SER_JOB_PART)
        snprintf(path, SER_JOB_PATH_SIZE, "%s/part-%" PRIu64 "-%" PRIu32 "-of-%" PRIu32 ".json",
                 folder, job->block, job->part.number, job->part.of);
    else
        snprintf(path, SER_JOB_PATH_SIZE, "%s/shard-%" PRIu32 "-of-%" PRIu32 ".json", folder,
                 job->part.number, job->part.of);
}

uint32_t ser_shards_known(const char *folder)
{
    char path[SER_JOB_PATH_SIZE], text[32] = "";
    snprintf(path, sizeof path, "%s/shards", folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    uint64_t shards = fgets(text, sizeof text, file) ? strtoull(text, NULL, 10) : 0;
    fclose(file);
    return shards <= SER_MOST_SHARDS ? (uint32_t)shards : 0;
}

ser_status ser_shards_note(const char *folder, uint32_t shards, ser_error *error)
{
    char path[SER_JOB_PATH_SIZE], text[16];
    snprintf(path, sizeof path, "%s/shards", folder);
    int length = snprintf(text, sizeof text, "%" PRIu32 "\n", shards);
    ser_output *output;
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    ser_output_write(output, text, (size_t)length);
    status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

static bool is_done(const ser_job_plan *plan, const ser_job *job)
{
    char path[SER_JOB_PATH_SIZE];
    ser_job_path(plan->options.folders[job->trace], job, path);
    return !plan->options.again && access(path, R_OK) == 0;
}

/* --- what a result means for the plan ------------------------------------------------ */

static void note_block(trace_plan *trace, const ser_json_node *block)
{
    const char *reason = ser_json_text_in(block, "reason");
    bool is_cut = reason && (strcmp(reason, "time") == 0 || strcmp(reason, "window") == 0);
    if (ser_block_node_is(block, "unknown") && is_cut)
        ser_vector_push(&trace->hard,
                        ((hard_block){.begin = ser_json_number_in(block, "begin"), .next = 1}));
}

static void settle(trace_plan *trace, uint64_t begin)
{
    for (size_t i = 0; i < trace->hard.count; i++)
        if (trace->hard.items[i].begin == begin)
            trace->hard.items[i].settled = true;
}

/* A file that cannot be read counts as nothing: the merge says what is wrong with it. */
static void note_result(ser_job_plan *plan, const ser_job *job)
{
    char path[SER_JOB_PATH_SIZE];
    ser_json_tree *tree = NULL;
    ser_error ignored;
    trace_plan *trace = &plan->traces[job->trace];
    ser_job_path(plan->options.folders[job->trace], job, path);
    if (plan->options.parts <= 1 || ser_json_tree_load(&tree, path, &ignored) != SER_OK)
        return;
    const ser_json_node *block = ser_json_first(ser_json_member(ser_json_root(tree), "blocks"));
    for (; block; block = block->next) {
        if (job->kind == SER_JOB_SHARD)
            note_block(trace, block);
        else if (ser_block_node_is(block, "violation"))
            settle(trace, job->block);
    }
    ser_json_tree_destroy(tree);
}

/* --- what is next ------------------------------------------------------------------------ */

/* Takes the next job that has no result yet. */
static bool take_shard(ser_job_plan *plan, uint32_t number, ser_job *job)
{
    trace_plan *trace = &plan->traces[number];
    while (trace->next <= trace->shards) {
        *job = (ser_job){SER_JOB_SHARD, number, {trace->next++, trace->shards}, 0};
        if (!is_done(plan, job))
            return true;
        note_result(plan, job);
    }
    return false;
}

static bool take_part(ser_job_plan *plan, uint32_t number, ser_job *job)
{
    trace_plan *trace = &plan->traces[number];
    for (size_t i = 0; i < trace->hard.count; i++)
        while (!trace->hard.items[i].settled && trace->hard.items[i].next <= plan->options.parts) {
            hard_block *hard = &trace->hard.items[i];
            *job =
                (ser_job){SER_JOB_PART, number, {hard->next++, plan->options.parts}, hard->begin};
            if (!is_done(plan, job))
                return true;
            note_result(plan, job);
        }
    return false;
}

/* Parts first: they take longest. */
static bool take_from(ser_job_plan *plan, uint32_t trace, ser_job *job)
{
    return take_part(plan, trace, job) || take_shard(plan, trace, job) ||
           take_part(plan, trace, job);
}

/* The largest of those that nobody has; NOBODY: there is none. */
static uint32_t largest_new_trace(const ser_job_plan *plan)
{
    const uint64_t *sizes = plan->options.sizes;
    uint32_t best = NOBODY;
    for (uint32_t i = 0; i < plan->options.traces; i++)
        if (!plan->traces[i].opened && (best == NOBODY || (sizes && sizes[i] > sizes[best])))
            best = i;
    return best;
}

static bool take_new_trace(ser_job_plan *plan, uint32_t rank, ser_job *job)
{
    for (uint32_t i; (i = largest_new_trace(plan)) != NOBODY;) {
        trace_plan *trace = &plan->traces[i];
        trace->opened = true;
        trace->next = 1;
        trace->shards = plan->options.shards;
        if (!trace->shards && !plan->options.again)
            trace->shards = ser_shards_known(plan->options.folders[i]);
        if (trace->shards && !take_from(plan, i, job))
            continue;
        if (!trace->shards)
            *job = (ser_job){.kind = SER_JOB_OPEN, .trace = i};
        plan->at[rank] = i;
        return true;
    }
    return false;
}

static uint64_t count_left(const ser_job_plan *plan, const trace_plan *trace)
{
    uint64_t left = trace->opened && trace->shards ? trace->shards + 1 - trace->next : 0;
    for (size_t i = 0; i < trace->hard.count; i++)
        if (!trace->hard.items[i].settled)
            left += plan->options.parts + 1 - trace->hard.items[i].next;
    return left;
}

static bool take_from_others(ser_job_plan *plan, uint32_t rank, ser_job *job)
{
    for (;;) {
        uint32_t best = NOBODY;
        uint64_t most = 0;
        for (uint32_t i = 0; i < plan->options.traces; i++) {
            uint64_t left = count_left(plan, &plan->traces[i]);
            best = left > most ? i : best;
            most = left > most ? left : most;
        }
        if (best == NOBODY)
            return false;
        plan->at[rank] = best;
        if (take_from(plan, best, job))
            return true;
    }
}

ser_job_plan *ser_job_plan_create(const ser_job_plan_options *options)
{
    ser_job_plan *plan = ser_alloc(1, sizeof *plan);
    plan->options = *options;
    plan->traces = ser_alloc(options->traces + 1, sizeof *plan->traces);
    plan->at = ser_alloc(options->ranks, sizeof *plan->at);
    for (uint32_t i = 0; i < options->ranks; i++)
        plan->at[i] = NOBODY;
    return plan;
}

void ser_job_plan_destroy(ser_job_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; i < plan->options.traces; i++)
        ser_vector_free(&plan->traces[i].hard);
    free(plan->traces);
    free(plan->at);
    free(plan);
}

ser_job ser_job_plan_next(ser_job_plan *plan, uint32_t rank)
{
    ser_job job;
    uint32_t own = plan->at[rank];
    if ((own != NOBODY && take_from(plan, own, &job)) || take_new_trace(plan, rank, &job) ||
        take_from_others(plan, rank, &job)) {
        plan->running++;
        return job;
    }
    return (ser_job){.kind = plan->running ? SER_JOB_WAIT : SER_JOB_END};
}

void ser_job_plan_done(ser_job_plan *plan, const ser_job *job, uint32_t shards, bool failed)
{
    plan->running--;
    plan->failures += failed;
    if (failed)
        return;
    if (job->kind == SER_JOB_OPEN)
        plan->traces[job->trace].shards = shards;
    else
        note_result(plan, job);
}

size_t ser_job_plan_failures(const ser_job_plan *plan)
{
    return plan->failures;
}
