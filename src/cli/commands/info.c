/* SPDX-License-Identifier: MIT */
/*
 * seriatim info: counts what is in a trace. One pass; memory for names only.
 */
#include "cli/command.h"
#include "cli/report_files.h"
#include "cli/translate.h"
#include "session/source.h"
#include "trace/statistics.h"

static ser_status count_events(ser_source *source, ser_statistics *statistics, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
    }
}

static ser_info describe(const ser_source *source, const ser_arguments *arguments,
                         const ser_statistics *statistics)
{
    return (ser_info){
        .path = source->path,
        .format = ser_reader_format(ser_trace_reader(source->trace)),
        .atomic = ser_arguments_text(arguments, "atomic"),
        .partial = source->stopped,
        .dropped = ser_trace_dropped(source->trace),
        .counts = ser_statistics_counts(statistics),
        .symbols = ser_trace_symbols(source->trace),
    };
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    ser_source_settings settings = ser_source_of(arguments, "info");
    settings.skip_sites = true;
    ser_statistics *statistics = ser_statistics_create();
    ser_source source = {0};
    ser_status status = ser_refuse_outputs(arguments, NULL, true, error);
    if (status == SER_OK)
        status = ser_source_open(&source, &settings, error);
    if (status == SER_OK)
        status = count_events(&source, statistics, error);
    if (status == SER_OK) {
        ser_info info = describe(&source, arguments, statistics);
        ser_source_warn(&source);
        status = ser_report_deliver(&(ser_report){.info = &info}, arguments, error);
        if (status == SER_OK && source.stopped)
            status = SER_UNDECIDED;
    }
    ser_source_close(&source);
    ser_statistics_destroy(statistics);
    return status;
}

static const ser_option options[] = {SER_OPTIONS_REPORT SER_OPTIONS_TRACE, SER_OPTIONS_COMMON};

static const ser_example examples[] = {
    {"seriatim info run.std", "what is in run.std"},
    {"seriatim info --atomic locks run.srt", "count critical sections as blocks"},
    {"seriatim info --json - run.std | jq .trace", "the same for scripts"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "the whole trace was read"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace is not well-formed, or a file cannot be read or written"},
    {SER_UNDECIDED, "stopped before the end by Ctrl-C or --budget; the counts are partial"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_info = {
    .name = "info",
    .summary = "count what is in a trace",
    .usage = "[options] TRACE",
    .description = SER_READS_TRACE
    "prints how many events, threads, locks, variables and "
    "blocks it has, how deep blocks nest, how many of them are still open at the end, and the "
    "share of each operation.\n"
    "\n"
    "A block is an outermost block as --atomic defines it. The nesting depth is that of begin "
    "and end events.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
