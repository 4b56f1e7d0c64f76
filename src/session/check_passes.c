/* SPDX-License-Identifier: MIT */
/*
 * The engine reads the trace once. Only if it finds something is the trace read
 * again: by velodrome, where the engine could not name the cycles, and by the
 * explainer, which finds the events that make them. The main function is
 * ser_check_run.
 */
#include "session/check_passes.h"

#include "base/interrupt.h"
#include "base/output/log.h"
#include "trace/statistics.h"

/* Only where --lenient may drop events do they have to be counted one by one. */
static void measure(ser_check_passes *work, const ser_batch *batch)
{
    if (work->statistics)
        ser_statistics_add(work->statistics, batch->events, batch->count);
    work->size.events = batch->first + batch->count - 1;
}

static ser_trace_size size_of(const ser_statistics *statistics)
{
    ser_counts counts = ser_statistics_counts(statistics);
    return (ser_trace_size){counts.events, counts.threads, counts.locks, counts.variables,
                            counts.blocks};
}

static void finish_measuring(ser_check_passes *work)
{
    if (work->statistics) {
        work->size = size_of(work->statistics);
        return;
    }
    const ser_symbols *symbols = ser_trace_symbols(work->source.trace);
    work->size.threads = ser_trace_threads(work->source.trace);
    work->size.blocks = ser_trace_blocks(work->source.trace);
    work->size.locks = ser_symbols_count(symbols, SER_SPACE_LOCK);
    work->size.variables = ser_symbols_count(symbols, SER_SPACE_VARIABLE);
}

/* The first pass: the whole trace, or up to the first violation. */
static ser_status run_engine(ser_check_passes *work, ser_error *error)
{
    ser_engine_config config = {ser_violations_keep, &work->found};
    void *engine = work->engine->create(&config);
    ser_batch batch;
    ser_status status;
    bool goes_on = true;
    while (goes_on && (status = ser_source_next(&work->source, &batch, error)) == SER_OK &&
           batch.count) {
        goes_on = work->engine->feed(engine, batch.events, batch.count, batch.first);
        measure(work, &batch);
    }
    work->engine->destroy(engine);
    bool is_done = work->found.list.count && !work->found.all;
    if (!goes_on && !is_done)
        work->source.stopped = ser_stop_reason(); /* the engine itself had to stop */
    work->partial = work->source.stopped;
    return status;
}

/* Reads the trace again, up to the event `last`, with an engine that names cycles. */
static ser_status name_cycles(ser_check_passes *work, ser_violations *named, uint64_t last,
                              ser_error *error)
{
    ser_engine_config config = {ser_violations_keep, named};
    void *engine = ser_engine_velodrome.create(&config);
    ser_batch batch;
    ser_status status = ser_source_rewind(&work->source, true, error);
    bool goes_on = status == SER_OK;
    while (goes_on && (status = ser_source_next(&work->source, &batch, error)) == SER_OK &&
           batch.count) {
        uint64_t left = last - batch.first + 1;
        size_t count = left < batch.count ? (size_t)left : batch.count;
        goes_on = ser_engine_velodrome.feed(engine, batch.events, count, batch.first) &&
                  left > batch.count;
    }
    ser_engine_velodrome.destroy(engine);
    return status;
}

/*
 * An engine that does not name cycles gets them from velodrome, which finds the same ones as
 * summaries, one for one; aerodrome reports later, and perhaps another block of the cycle.
 */
static ser_status add_cycles(ser_check_passes *work, ser_error *error)
{
    ser_violations *found = &work->found;
    bool exact = work->engine == &ser_engine_summaries;
    ser_violations named = {.all = found->all || !exact};
    uint64_t last = found->list.items[found->list.count - 1].event;
    ser_status status = name_cycles(work, &named, last, error);
    if (status == SER_OK && !work->source.stopped && !ser_should_stop())
        ser_check(named.list.count >= (exact ? found->list.count : 1));
    for (size_t i = 0; i < found->list.count; i++) {
        ser_violation *violation = &found->list.items[i];
        ser_violations_find_cycle(&named, violation);
        ser_check(!exact || i >= named.list.count ||
                  (named.list.items[i].event == violation->event &&
                   named.list.items[i].block == violation->block));
    }
    ser_violations_fini(&named);
    return status;
}

/* In small pieces, each of which may have to do with thousands of cycles. */
static void feed_explainer(ser_explainer *explainer, const ser_batch *batch)
{
    enum { PIECE = 64 };
    for (size_t i = 0; i < batch->count && !ser_should_stop(); i += PIECE) {
        size_t count = batch->count - i < PIECE ? batch->count - i : PIECE;
        ser_explainer_feed(explainer, batch->events + i, count, batch->first + i);
    }
}

/* The last pass: the events of the cycles, and the size of what was analysed. */
static ser_status explain(ser_check_passes *work, ser_error *error)
{
    ser_statistics *statistics = ser_statistics_create();
    uint64_t analysed = work->found.all ? 0 : work->found.list.items[0].event;
    ser_batch batch;
    ser_status status = ser_source_rewind(&work->source, false, error);
    while (status == SER_OK && ser_explainer_wants_more(work->explainer) &&
           (status = ser_source_next(&work->source, &batch, error)) == SER_OK && batch.count) {
        feed_explainer(work->explainer, &batch);
        uint64_t left = batch.first <= analysed ? analysed - batch.first + 1 : 0;
        ser_statistics_add(statistics, batch.events,
                           left < batch.count ? (size_t)left : batch.count);
    }
    ser_explainer_finish(work->explainer);
    if (analysed && !work->source.stopped)
        work->size = size_of(statistics);
    ser_statistics_destroy(statistics);
    return status;
}

/* A violation is reported even if it cannot be explained, because the trace cannot be read again
 * or is malformed after the last violation. */
static void explain_all(ser_check_passes *work)
{
    ser_error error = {0};
    ser_status status = SER_OK;
    const char *stopped = NULL; /* while the cycles were being named */
    if (work->engine != &ser_engine_velodrome) {
        status = add_cycles(work, &error);
        stopped = work->source.stopped;
    }
    work->explainer = ser_explainer_create();
    for (size_t i = 0; i < work->found.list.count; i++)
        ser_explainer_add(work->explainer, &work->found.list.items[i]);
    if (status == SER_OK && !stopped)
        status = explain(work, &error);
    else
        ser_explainer_finish(work->explainer);
    if (status != SER_OK)
        ser_warning("the report of violations is incomplete: %s", error.text);
}

ser_status ser_check_run(ser_check_passes *work, ser_error *error)
{
    ser_status status = run_engine(work, error);
    if (status != SER_OK && !work->found.list.count)
        return status;
    if (status != SER_OK)
        work->partial = "the trace is not good to the end";
    ser_source_warn(&work->source);
    finish_measuring(work);
    if (work->found.list.count)
        explain_all(work);
    return status;
}

void ser_check_passes_fini(ser_check_passes *work)
{
    ser_explainer_destroy(work->explainer);
    ser_violations_fini(&work->found);
    ser_statistics_destroy(work->statistics);
    ser_source_close(&work->source);
}
