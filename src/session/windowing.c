/* SPDX-License-Identifier: MIT */
#include "session/windowing.h"

#include "base/interrupt.h"
#include "report/window_report.h"
#include "trace/io/output.h"
#include "trace/statistics.h"

typedef struct work {
    ser_source *source;
    ser_windows *windows;
    ser_facts facts; /* of all events, if they were found before */
    ser_statistics *statistics;
    ser_window_report report;
    const char *stopped; /* why the first pass ended early; NULL: it did not */
    ser_output *output;  /* of the JSON; NULL: none */
    ser_json json;
} work;

static void write_bytes(void *output, const void *bytes, size_t count)
{
    ser_output_write(output, bytes, count);
}

static ser_status feed(work *all, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(all->source, &batch, error);
        if (status == SER_OK && batch.count)
            status = ser_windows_feed(all->windows, batch.events, batch.count, error);
        if (status != SER_OK)
            return status;
        if (batch.count == 0)
            return ser_windows_finish(all->windows, error);
        ser_statistics_add(all->statistics, batch.events, batch.count);
    }
}

/* A pass that was stopped is why the next one ends there. */
static ser_status find_facts(work *all, const char **stopped, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(all->source, &batch, error);
        if (status != SER_OK)
            return status;
        if (batch.count == 0)
            break;
        for (size_t i = 0; i < batch.count; i++)
            ser_facts_add(&all->facts, &batch.events[i]);
    }
    *stopped = all->source->stopped;
    return ser_source_rewind(all->source, false, error);
}

static ser_status open_json(work *all, const char *path, ser_error *error)
{
    if (!path)
        return SER_OK;
    ser_status status = ser_output_open(&all->output, path, error);
    if (status != SER_OK)
        return status;
    ser_json_init(&all->json, write_bytes, all->output);
    all->report.json = &all->json;
    return SER_OK;
}

/* Also if a witness was refused or the trace is bad from some event on: what was found until then
 * is reported. */
static ser_status end_report(work *all, ser_status fault, ser_error *error)
{
    const ser_counts counts = ser_statistics_counts(all->statistics);
    const ser_trace_size size = {counts.events, counts.threads, counts.locks, counts.variables,
                                 counts.blocks};
    const char *partial = all->stopped ? all->stopped : all->source->stopped;
    if (!partial && fault != SER_OK)
        partial = "an error ended it";
    ser_error problem = {0};
    ser_window_report_end(&all->report, &size, partial);
    ser_status status = all->output ? ser_output_finish(all->output, &problem) : SER_OK;
    if (fault != SER_OK)
        return fault;
    if (status != SER_OK)
        return ser_fail(error, problem.status, "%s", problem.text);
    return ser_window_report_verdict(&all->report, partial);
}

ser_status ser_predict_in_windows(ser_source *source, const ser_windowing *options,
                                  ser_error *error)
{
    work all = {
        .source = source,
        .statistics = ser_statistics_create(),
        .report = {.path = source->path,
                   .size = options->size,
                   .symbols = ser_trace_symbols(source->trace),
                   .is_asked_for = options->is_asked_for,
                   .text = options->text},
    };
    ser_status status = open_json(&all, options->json, error);
    if (status == SER_OK) {
        ser_windows_options settings = {
            .size = options->size,
            .predict = options->predict,
            .facts = options->facts_first ? &all.facts : NULL,
            .decided = ser_window_report_add,
            .context = &all.report,
        };
        settings.predict.should_stop = ser_should_stop;
        all.windows = ser_windows_create(&settings);
        ser_window_report_begin(&all.report);
        status = options->facts_first ? find_facts(&all, &all.stopped, error) : SER_OK;
        if (status == SER_OK)
            status = feed(&all, error);
        ser_source_warn(source);
        status = end_report(&all, status, error);
    }
    ser_output_close(all.output);
    ser_windows_destroy(all.windows);
    ser_facts_fini(&all.facts);
    ser_statistics_destroy(all.statistics);
    return status;
}
