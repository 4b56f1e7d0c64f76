/* SPDX-License-Identifier: MIT */
/*
 * A trace alone: prediction and monitor say what is in it, as in `run`, and the result goes the
 * same way as that of a run: as JSON into the dossier.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "report/formats.h"
#include "session/check_passes.h"
#include "session/predicting.h"
#include "session/reporting/reporting.h"

typedef struct analysis {
    ser_loaded *loaded;
    ser_prediction prediction;
    ser_run_report report;
} analysis;

static const ser_block_result *result_of(const analysis *work, uint64_t begin)
{
    for (size_t i = 0; i < work->prediction.results.count; i++) {
        const ser_block_result *result = &work->prediction.results.items[i];
        if (work->loaded->run->blocks.items[result->block].begin == begin)
            return result;
    }
    return NULL;
}

static ser_status predict(analysis *work, const ser_effort *effort, ser_error *error)
{
    const ser_predict_options options = ser_effort_options(effort);
    const ser_predict_choice all = {0};
    ser_run_trace *trace = &work->report.traces.items[0];
    bool is_new;
    ser_status status = ser_predict_loaded(&work->prediction, work->loaded, &all, &options, error);
    for (size_t i = 0; status == SER_OK && i < work->prediction.results.count; i++) {
        const ser_block_result *result = &work->prediction.results.items[i];
        trace->undecided += result->verdict == SER_VERDICT_UNKNOWN;
        ser_run_trace_count(trace, result);
        if (result->verdict == SER_VERDICT_VIOLATION)
            ser_bugs_add_predicted(&work->report.bugs, work->loaded->run, result, 0, &is_new);
    }
    return status;
}

static bool mark_observed(analysis *work, uint64_t begin)
{
    const ser_block_result *result = result_of(work, begin);
    if (!result || result->verdict != SER_VERDICT_VIOLATION)
        return false;
    for (size_t i = 0; i < work->report.bugs.list.count; i++)
        if (work->report.bugs.list.items[i].block == begin)
            work->report.bugs.list.items[i].status = SER_BUG_OBSERVED;
    return true;
}

static ser_status check(analysis *work, ser_error *error)
{
    ser_check_passes passes = {.engine = &ser_engine_summaries, .found.all = true};
    bool is_new;
    ser_source_open_run(&passes.source, &work->loaded->source, work->loaded->run);
    ser_status status = ser_check_run(&passes, error);
    size_t count = passes.explainer ? ser_explainer_finding_count(passes.explainer) : 0;
    for (size_t i = 0; status == SER_OK && i < count; i++) {
        const ser_finding *finding = ser_explainer_finding(passes.explainer, i);
        if (!mark_observed(work, finding->begin))
            ser_bugs_add_observed(&work->report.bugs, work->loaded->run, finding, 0, &is_new);
    }
    ser_check_passes_fini(&passes);
    return status;
}

static void describe_trace(analysis *work, const char *path)
{
    const ser_counts *counts = &work->loaded->counts;
    ser_run_trace trace = {
        .path = ser_copy_text(path, strlen(path)),
        .schedule = ser_copy_text("as recorded", strlen("as recorded")),
        .size = {counts->events, counts->threads, counts->locks, counts->variables, counts->blocks},
        .cut = work->loaded->source.stopped,
    };
    ser_vector_push(&work->report.traces, trace);
}

/* The result as `run` would save it. */
static ser_json_tree *make_tree(const ser_run_report *report, ser_error *error)
{
    char *text = NULL;
    size_t size = 0;
    ser_json_tree *tree = NULL;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    ser_report_write(&ser_report_as_json, &(ser_report){.run = report}, file);
    fclose(file);
    ser_check(ser_json_tree_read(&tree, text, size, error) == SER_OK);
    free(text);
    return tree;
}

static ser_status illustrate(ser_reporting *reporting, const analysis *work, size_t first,
                             ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = first; status == SER_OK && i < reporting->dossier.entries.count; i++) {
        if (!ser_reporting_may_draw(reporting))
            break;
        const ser_block_result *result = result_of(work, reporting->dossier.entries.items[i].block);
        if (!result || result->verdict != SER_VERDICT_VIOLATION)
            continue;
        const ser_dossier_witness witness = {
            .block = work->loaded->run->blocks.items[result->block].begin,
            .order = &result->order,
            .path = result->facts.path.items,
            .path_count = result->facts.path.count,
            .changed = result->facts.broken.items,
            .changed_count = result->facts.broken.count,
        };
        status = ser_dossier_draw(&reporting->dossier, i, work->loaded->run, &witness, error);
    }
    return status;
}

ser_status ser_reporting_analyse(ser_reporting *reporting, const char *path, ser_error *error)
{
    static char *no_program[] = {NULL};
    analysis work = {.report = {.name = "report", .command = no_program}};
    size_t first = reporting->dossier.entries.count;
    work.report.atomic = reporting->options.atomic;
    ser_status status =
        ser_reporting_load(reporting, path, &reporting->options.reading, &work.loaded, error);
    if (status != SER_OK)
        return status;
    describe_trace(&work, path);
    status = predict(&work, &reporting->options.effort, error);
    if (status == SER_OK)
        status = check(&work, error);
    ser_bugs_rank(&work.report.bugs);
    if (status == SER_OK)
        status = ser_dossier_add(&reporting->dossier, make_tree(&work.report, error), error);
    if (status == SER_OK)
        status = illustrate(reporting, &work, first, error);
    ser_prediction_fini(&work.prediction);
    ser_run_report_fini(&work.report);
    return status;
}
