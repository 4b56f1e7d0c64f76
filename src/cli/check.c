/* SPDX-License-Identifier: MIT */
/*
 * seriatim check: is the observed run conflict serializable?
 *
 * The engine reads the trace once. Only if it finds something is the trace read
 * again: by velodrome, where the engine could not name the cycles, and by the
 * explainer, which finds the events that make them (analyse).
 */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/json_file.h"
#include "cli/source.h"
#include "monitor/engine.h"
#include "monitor/explain.h"
#include "monitor/violations.h"
#include "report/check_report.h"
#include "trace/statistics.h"

typedef struct check {
    ser_source source;
    const ser_engine *engine;
    ser_violations found;
    ser_explainer *explainer; /* NULL: nothing found */
    const char *partial;      /* why the first pass ended early */
    ser_trace_size size;
    ser_statistics *statistics; /* with --lenient; else NULL */
} check;

/* Only where --lenient may drop events do they have to be counted one by one. */
static void measure(check *work, const ser_batch *batch)
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

static void finish_measuring(check *work)
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
static ser_status run_engine(check *work, ser_error *error)
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
    work->partial = work->source.stopped;
    return status;
}

/* Reads the trace again, up to the event `last`, with an engine that names cycles. */
static ser_status name_cycles(check *work, ser_violations *named, uint64_t last, ser_error *error)
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
 * Violations of an engine that knows no cycles get them from velodrome. It closes
 * the same ones as summaries, one for one; aerodrome reports later, and perhaps
 * another block of the cycle.
 */
static ser_status add_cycles(check *work, ser_error *error)
{
    ser_violations *found = &work->found;
    bool exact = work->engine == &ser_engine_summaries;
    ser_violations named = {.all = found->all || !exact};
    uint64_t last = found->list.items[found->list.count - 1].event;
    ser_status status = name_cycles(work, &named, last, error);
    if (status == SER_OK && !work->source.stopped)
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

/* The last pass: the events of the cycles, and the size of what was analysed. */
static ser_status explain(check *work, ser_error *error)
{
    ser_statistics *statistics = ser_statistics_create();
    uint64_t analysed = work->found.all ? 0 : work->found.list.items[0].event;
    ser_batch batch;
    ser_status status = ser_source_rewind(&work->source, false, error);
    while (status == SER_OK && ser_explainer_wants_more(work->explainer) &&
           (status = ser_source_next(&work->source, &batch, error)) == SER_OK && batch.count) {
        ser_explainer_feed(work->explainer, batch.events, batch.count, batch.first);
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

/* What was found stays found, even if it cannot be told why: the trace cannot be
 * read again, or is bad after the last violation. */
static void explain_all(check *work)
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
        ser_warning("violations may be told only in part: %s", error.text);
}

static ser_status write_report(const check *work, const ser_arguments *arguments, ser_error *error)
{
    ser_check_report report = {
        .path = work->source.path,
        .engine = work->engine->name,
        .partial = work->partial,
        .all = work->found.all,
        .size = work->size,
        .symbols = ser_trace_symbols(work->source.trace),
        .findings = work->explainer,
    };
    const char *path = ser_arguments_text(arguments, "json");
    ser_progress_erase();
    if (!path || strcmp(path, "-") != 0)
        ser_check_report_text(&report, stdout);
    if (!path)
        return SER_OK;
    ser_json_file file;
    ser_status status = ser_json_file_open(&file, path, error);
    if (status != SER_OK)
        return status;
    ser_check_report_json(&report, &file.json);
    return ser_json_file_finish(&file, error);
}

/* The status of the whole: bad input that ended the analysis counts more than
 * what was found before it, which is reported all the same. */
static ser_status analyse(check *work, const ser_arguments *arguments, ser_error *error)
{
    ser_status input = run_engine(work, error);
    if (input != SER_OK && !work->found.list.count)
        return input;
    if (input != SER_OK)
        work->partial = "the trace is not good to the end";
    ser_source_warn(&work->source);
    finish_measuring(work);
    if (work->found.list.count)
        explain_all(work);

    ser_error writing = {0};
    ser_status status = write_report(work, arguments, &writing);
    if (status != SER_OK) {
        *error = writing;
        return status;
    }
    if (input != SER_OK)
        return input;
    if (work->found.list.count)
        return SER_VIOLATION;
    return work->partial ? SER_UNDECIDED : SER_OK;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    check work = {
        .engine = ser_engine_by_name(ser_arguments_text(arguments, "engine")),
        .found.all = ser_arguments_given(arguments, "all"),
        .statistics = ser_arguments_given(arguments, "lenient") ? ser_statistics_create() : NULL,
    };
    const ser_source_settings settings = {.verb = "check",
                                          .output = ser_arguments_text(arguments, "json"),
                                          .skip_sites = true,
                                          .keep = true};
    ser_status status = ser_source_open(&work.source, arguments, &settings, error);
    if (status == SER_OK)
        status = analyse(&work, arguments, error);
    ser_explainer_destroy(work.explainer);
    ser_violations_fini(&work.found);
    ser_statistics_destroy(work.statistics);
    ser_source_close(&work.source);
    return status;
}

static const ser_option options[] = {
    {.name = "engine",
     .letter = 'e',
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .standard = "summaries",
     .choices = "summaries|velodrome|aerodrome",
     .help = "summaries: exact, and fast whatever the number of variables; velodrome: exact, the "
             "graph of transactions; aerodrome: vector clocks, misses cycles in which two blocks "
             "are still open"},
    {.name = "all",
     .letter = 'a',
     .help = "go on after the first violation and report every violated block once"},
    SER_OPTION_JSON,
    SER_OPTIONS_TRACE,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim check run.srt", "is the recorded run serializable?"},
    {"seriatim check --all --json - run.std", "every violated block, as JSON"},
    {"seriatim check --atomic locks run.std", "take what a lock is held over as atomic"},
    {"zstdcat run.std.zst | seriatim check -", "read a trace from a pipe"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no violation: the run is conflict serializable"},
    {SER_VIOLATION, "a block was violated"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace breaks a rule, or cannot be read"},
    {SER_UNDECIDED, "stopped by Ctrl-C or --budget before anything was found"},
    {SER_INTERNAL, "a bug in seriatim"},
    {0, NULL},
};

const ser_command ser_command_check = {
    .name = "check",
    .summary = "say whether the observed run is serializable",
    .usage = "[options] TRACE",
    .description =
        "Reads TRACE (a file, or - for standard input; text, native or RoadRunner log; plain or "
        "compressed with gzip or zstd) and decides whether the run is conflict serializable: "
        "whether its atomic blocks behave as if each had run without interruption.\n"
        "\n"
        "A violation is told as a cycle of transactions. For each one and the next, two events "
        "show that the first must come before the second, with their numbers (positions in the "
        "trace), threads and locations.",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
