/* SPDX-License-Identifier: MIT */
/*
 * seriatim validate: reads the whole trace and says whether it is well-formed.
 * The trace layer does the checking; a broken rule arrives as an error.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/output/print.h"
#include "cli/command.h"
#include "cli/translate.h"
#include "session/source.h"
#include "trace/statistics.h"

static ser_status read_all(ser_source *source, ser_statistics *statistics, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
    }
}

static void print_count(uint64_t count, const char *noun, const char *after)
{
    ser_print(stdout, "%" PRIu64 " %s%s%s", count, noun, count == 1 ? "" : "s", after);
}

static void print_verdict(const ser_source *source, const ser_counts *counts)
{
    uint64_t dropped = ser_trace_dropped(source->trace);
    ser_print(stdout, "%s is well-formed", ser_source_name(source));
    if (source->stopped)
        ser_print(stdout, " as far as it was read");
    if (dropped)
        ser_print(stdout, " without the %" PRIu64 " event%s that %s dropped", dropped,
                  dropped == 1 ? "" : "s", dropped == 1 ? "was" : "were");
    ser_print(stdout, ": ");
    print_count(counts->events, "event", ", ");
    print_count(counts->threads, "thread", ", ");
    print_count(counts->locks, "lock", ", ");
    print_count(counts->variables, "variable", "");
    ser_print(stdout, "\n");
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    ser_source_settings settings = ser_source_of(arguments, "validate");
    settings.skip_sites = true;
    ser_statistics *statistics = ser_statistics_create();
    ser_source source;
    ser_status status = ser_source_open(&source, &settings, error);
    if (status == SER_OK)
        status = read_all(&source, statistics, error);
    if (status == SER_OK) {
        ser_counts counts = ser_statistics_counts(statistics);
        ser_source_warn(&source);
        print_verdict(&source, &counts);
        status = source.stopped ? SER_UNDECIDED : SER_OK;
    }
    ser_source_close(&source);
    ser_statistics_destroy(statistics);
    return status;
}

static const ser_option options[] = {SER_OPTIONS_TRACE, SER_OPTIONS_COMMON};

static const ser_example examples[] = {
    {"seriatim validate run.std", "is run.std well-formed?"},
    {"seriatim validate --lenient run.std", "how many of its events do not fit?"},
    {"make-trace | seriatim validate -", "read a trace from a pipe"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "the trace is well-formed, or so with --lenient after dropping events"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace breaks a rule, or cannot be read"},
    {SER_UNDECIDED, "stopped before the end by Ctrl-C or --budget"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_validate = {
    .name = "validate",
    .summary = "say whether a trace is well-formed",
    .usage = "[options] TRACE",
    .description = SER_READS_TRACE
    "checks the rules that every command relies on:\n"
    "\n"
    "  a lock is held by one thread at a time (or shared by readers);\n"
    "  a release matches an acquire of the same thread;\n"
    "  a forked thread has no event before its fork;\n"
    "  a joined thread has none after its join;\n"
    "  begin and end, call and return match and nest.\n"
    "\n"
    "The first event that breaks a rule is named, with the rule. Blocks and calls still open "
    "at the end are allowed.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
