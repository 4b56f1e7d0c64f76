/* SPDX-License-Identifier: MIT */
/* seriatim check: is the observed run conflict serializable? */
#include "base/host.h"
#include "cli/command.h"
#include "cli/report_files.h"
#include "cli/translate.h"
#include "session/check_passes.h"

static ser_status write_report(const ser_check_passes *work, const ser_arguments *arguments,
                               ser_error *error)
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
    return ser_report_deliver(&(ser_report){.check = &report}, arguments, error);
}

/* The exit status: bad input that ended the analysis has priority over violations found before it,
 * which are reported nevertheless. */
static ser_status analyse(ser_check_passes *work, const ser_arguments *arguments, ser_error *error)
{
    ser_status input = ser_check_run(work, error);
    if (input != SER_OK && !work->found.list.count)
        return input;
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

/* Clocks of all threads for all threads, and the like, could take all that there is. */
static void limit_memory(const ser_arguments *arguments)
{
    enum { MEGABYTE = 1 << 20 };
    uint64_t megabytes = ser_arguments_number(arguments, "memory");
    uint64_t bytes = megabytes ? megabytes * MEGABYTE : ser_host_memory() / 2;
    if (bytes)
        ser_host_limit_memory(bytes);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    ser_check_passes work = {
        .engine = ser_engine_by_name(ser_arguments_text(arguments, "engine")),
        .found.all = ser_arguments_given(arguments, "all"),
        .statistics = ser_arguments_given(arguments, "lenient") ? ser_statistics_create() : NULL,
    };
    ser_source_settings settings = ser_source_of(arguments, "check");
    settings.skip_sites = true;
    settings.keep = true;
    limit_memory(arguments);
    ser_status status = ser_refuse_outputs(arguments, NULL, true, error);
    if (status == SER_OK)
        status = ser_source_open(&work.source, &settings, error);
    if (status == SER_OK)
        status = analyse(&work, arguments, error);
    ser_check_passes_fini(&work);
    return status;
}

static const ser_option options[] = {
    {.name = "engine",
     .letter = 'e',
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .standard = "summaries",
     .choices = &(SER_ENGINES(SER_CHOICE_NAME))[1],
     .help = &(SER_ENGINES(SER_CHOICE_HELP))[2]},
    {.name = "all",
     .letter = 'a',
     .help = "go on after the first violation and report every violated block once"},
    {.name = "memory",
     .kind = SER_OPTION_NUMBER,
     .argument = "MB",
     .least = 1,
     .most = UINT64_C(1) << 30,
     .help = "memory that the analysis may use, in megabytes; when it is used up, nothing is "
             "decided. If not given, half of the machine's"},
    SER_OPTIONS_REPORT SER_OPTIONS_TRACE,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim check run.srt", "is the recorded run serializable?"},
    {"seriatim check --all --json - run.std", "every violated block, as JSON"},
    {"seriatim check --atomic locks run.std", "treat critical sections as atomic"},
    {"zstdcat run.std.zst | seriatim check -", "read a trace from a pipe"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no violation: the run is conflict serializable"},
    {SER_VIOLATION, "a block was violated"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace breaks a rule, or cannot be read"},
    {SER_UNDECIDED, "stopped by Ctrl-C or --budget before anything was found, or out of memory"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_check = {
    .name = "check",
    .summary = "say whether the observed run is serializable",
    .usage = "[options] TRACE",
    .description = SER_READS_TRACE
    "decides whether the run is conflict serializable: "
    "whether its atomic blocks behave as if each had run without interruption.\n"
    "\n"
    "A violation is reported as a cycle of transactions. For each one and the next, two events "
    "show that the first must come before the second, with their numbers (positions in the "
    "trace), threads and locations.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
