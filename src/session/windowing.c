/* SPDX-License-Identifier: MIT */
#include "session/windowing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/topics.h"
#include "report/window_report.h"
#include "trace/io/output.h"
#include "trace/statistics.h"

enum { GROWTH = 16 };

static const double PEEK_SECONDS = 1;

typedef struct work {
    const ser_windowing *options;
    ser_source *source;
    uint32_t size;         /* of the windows of this pass */
    bool is_first_pass;    /* over blocks; else only those in `open` are looked at */
    ser_number_list open;  /* first events of blocks that this pass is to decide, rising */
    size_t next_open;      /* in it */
    ser_number_list grown; /* those that it leaves to the next one */
    ser_windows *windows;
    ser_facts facts; /* of all events, if they were found before */
    ser_statistics *statistics;
    ser_window_report report;
    uint64_t peeked;  /* events at the last look ahead */
    double peek_time; /* when that was */
    ser_status peek_status;
    ser_error peek_error;
    const char *stopped; /* why the first pass ended early; NULL: it did not */
    ser_output *output;  /* of the JSON; NULL: none */
    ser_json json;
} work;

static void write_bytes(void *output, const void *bytes, size_t count)
{
    ser_output_write(output, bytes, count);
}

/* --- windows that grow ----------------------------------------------------------------- */

static bool can_grow(const work *all)
{
    return all->options->largest / GROWTH >= all->size && !all->source->stopped;
}

/* The callbacks of windows.h. */
static bool is_open(void *context, uint64_t begin)
{
    work *all = context;
    if (all->is_first_pass)
        return true;
    while (all->next_open < all->open.count && all->open.items[all->next_open] < begin)
        all->next_open++;
    return all->next_open < all->open.count && all->open.items[all->next_open] == begin;
}

static void take_result(void *context, const ser_window_result *decided)
{
    work *all = context;
    bool is_bounded = decided->result->verdict == SER_VERDICT_UNKNOWN &&
                      decided->result->reason == SER_REASON_WINDOW;
    if (is_bounded && can_grow(all))
        ser_vector_push(&all->grown, decided->block->begin);
    else
        ser_window_report_add(&all->report, decided);
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

/* What the next pass looks at. */
static void grow(work *all)
{
    ser_vector_free(&all->open);
    all->open = all->grown;
    all->grown = (ser_number_list){0};
    if (all->open.count > 1)
        qsort(all->open.items, all->open.count, sizeof *all->open.items, compare_numbers);
    all->next_open = 0;
    all->is_first_pass = false;
    all->size *= GROWTH;
    all->report.size = all->size;
}

/* --- a stream that makes pauses -------------------------------------------------------------- */

/* Looks ahead if there is something new, once a second at most. */
static void peek(void *context)
{
    work *all = context;
    double now = ser_clock_now();
    if (all->source->events == all->peeked || now - all->peek_time < PEEK_SECONDS ||
        all->peek_status != SER_OK)
        return;
    all->peek_status = ser_windows_peek(all->windows, &all->peek_error);
    all->peek_time = now;
    all->peeked = all->source->events;
}

/* --- passes --------------------------------------------------------------------------------- */

/* In a later pass: over events that are in no window of a block to be decided, where the trace has
 * a checkpoint. */
static ser_status skip(work *all, ser_error *error)
{
    ser_past_events past = {0};
    uint64_t begin = UINT64_MAX;
    bool went;
    if (all->is_first_pass || !all->options->facts_first || ser_windows_undecided(all->windows))
        return SER_OK;
    while (all->next_open < all->open.count &&
           all->open.items[all->next_open] <= all->source->events)
        all->next_open++;
    if (all->next_open < all->open.count)
        begin = all->open.items[all->next_open];
    ser_status status = ser_source_seek(all->source, begin > all->size ? begin - all->size : 0,
                                        &went, &past, error);
    if (status == SER_OK && went) {
        ser_log_info(PREDICT, "goes on with event %" PRIu64, all->source->events + 1);
        ser_windows_resume(all->windows, &past, all->source->events + 1);
    }
    ser_vector_free(&past);
    return status;
}

static ser_status feed(work *all, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = skip(all, error);
        if (status == SER_OK)
            status = ser_source_next(all->source, &batch, error);
        if (status == SER_OK && all->peek_status != SER_OK)
            status = ser_fail(error, all->peek_status, "%s", all->peek_error.text);
        if (status == SER_OK && batch.count)
            status = ser_windows_feed(all->windows, batch.events, batch.count, error);
        if (status != SER_OK)
            return status;
        if (batch.count == 0)
            return ser_windows_finish(all->windows, error);
        if (all->is_first_pass)
            ser_statistics_add(all->statistics, batch.events, batch.count);
    }
}

static ser_status decide(work *all, ser_error *error)
{
    ser_windows_options settings = {
        .size = all->size,
        .predict = all->options->predict,
        .facts = all->options->facts_first ? &all->facts : NULL,
        .wanted = is_open,
        .decided = take_result,
        .context = all,
    };
    settings.predict.should_stop = ser_should_stop;
    all->windows = ser_windows_create(&settings);
    all->peek_time = ser_clock_now();
    if (!all->options->facts_first)
        ser_on_waiting(peek, all);
    ser_status status = feed(all, error);
    ser_on_waiting(NULL, NULL);
    ser_windows_destroy(all->windows);
    all->windows = NULL;
    return status;
}

/* With windows that grow, as long as there is something to decide. */
static ser_status decide_all(work *all, ser_error *error)
{
    ser_status status = decide(all, error);
    while (status == SER_OK && all->grown.count) {
        grow(all);
        ser_log_info(PREDICT, "%zu blocks in windows of %u events", all->open.count, all->size);
        status = ser_source_rewind(all->source, false, error);
        if (status == SER_OK)
            status = decide(all, error);
    }
    return status;
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
        ser_facts_add_all(&all->facts, batch.events, batch.count);
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
        .options = options,
        .source = source,
        .size = options->size,
        .is_first_pass = true,
        .statistics = ser_statistics_create(),
        .report = {.path = source->path,
                   .size = options->size,
                   .symbols = ser_trace_symbols(source->trace),
                   .is_asked_for = options->is_asked_for,
                   .only_notable = options->only_notable,
                   .text = options->text},
    };
    ser_status status = open_json(&all, options->json, error);
    if (status == SER_OK) {
        ser_window_report_begin(&all.report);
        status = options->facts_first ? find_facts(&all, &all.stopped, error) : SER_OK;
        if (status == SER_OK)
            status = decide_all(&all, error);
        ser_source_warn(source);
        status = end_report(&all, status, error);
    }
    ser_output_close(all.output);
    ser_vector_free(&all.open);
    ser_vector_free(&all.grown);
    ser_facts_fini(&all.facts);
    ser_statistics_destroy(all.statistics);
    return status;
}
