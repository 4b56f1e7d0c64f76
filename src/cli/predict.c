/* SPDX-License-Identifier: MIT */
/*
 * seriatim predict: can another interleaving of the same run violate a block?
 *
 * The trace is read once, into memory; then the driver (predict/predict.h) decides
 * block by block. Whatever ends the work early, the blocks decided by then are
 * reported and the others are unknown.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/load_run.h"
#include "cli/predict_choice.h"
#include "cli/predict_results.h"
#include "cli/predict_settings.h"
#include "cli/report_files.h"
#include "cli/source.h"

typedef struct predict {
    const ser_arguments *arguments;
    ser_source source;
    ser_run *run;
    ser_counts counts; /* of the trace */
    ser_predict_choice choice;
    ser_prediction prediction;
    uint64_t blocks, done, violations; /* for the progress line */
} predict;

static bool wants_block(const void *context, const ser_run *run, uint32_t block)
{
    const predict *work = context;
    return ser_predict_choice_wants(&work->choice, run, block);
}

static void count_blocks(predict *work)
{
    for (uint32_t i = 0; i < work->run->blocks.count; i++)
        work->blocks += ser_predict_choice_wants(&work->choice, work->run, i);
}

static void note_progress(void *context, const ser_block_result *result)
{
    predict *work = context;
    char words[100];
    work->done++;
    work->violations += result->verdict == SER_VERDICT_VIOLATION;
    snprintf(words, sizeof words, "%" PRIu64 " of %" PRIu64 " blocks, %" PRIu64 " violation%s",
             work->done, work->blocks, work->violations, work->violations == 1 ? "" : "s");
    ser_progress_say(words, work->done, work->blocks);
}

/* The driver knows only that it was told to stop. */
static void blame_budget(ser_prediction *prediction)
{
    if (ser_interrupted() || !ser_budget_exhausted())
        return;
    for (size_t i = 0; i < prediction->results.count; i++)
        if (prediction->results.items[i].reason == SER_REASON_INTERRUPTED)
            prediction->results.items[i].reason = SER_REASON_TIME;
}

static ser_status decide_blocks(predict *work, ser_error *error)
{
    ser_predict_options options = ser_predict_settings(work->arguments);
    options.wanted = wants_block;
    options.done = note_progress;
    options.context = work;
    options.should_stop = ser_should_stop;
    count_blocks(work);
    ser_progress_start(work->source.label);
    ser_status status = ser_predict(&work->prediction, work->run, &options, error);
    ser_progress_stop();
    blame_budget(&work->prediction);
    return status;
}

static ser_predict_report describe(const predict *work)
{
    const ser_counts *counts = &work->counts;
    ser_predict_summary summary = ser_predict_summarise(&work->prediction);
    const char *stopped = summary.verdicts[SER_VERDICT_UNKNOWN] ? ser_stop_reason() : NULL;
    return (ser_predict_report){
        .path = work->source.path,
        .partial = work->source.stopped ? work->source.stopped : stopped,
        .atomic = ser_arguments_given(work->arguments, "atomic")
                      ? ser_arguments_text(work->arguments, "atomic")
                      : NULL,
        .schedules = ser_arguments_text(work->arguments, "schedules"),
        .serializability = strcmp(ser_arguments_text(work->arguments, "criterion"), "path") != 0,
        .verbose = ser_arguments_given(work->arguments, "verbose"),
        .size = {counts->events, counts->threads, counts->locks, counts->variables, counts->blocks},
        .prediction = &work->prediction,
    };
}

/* A refused witness is our own fault; what the other blocks gave is told all the same. */
static ser_status analyse(predict *work, ser_error *error)
{
    ser_status status = ser_load_run(&work->source, &work->run, &work->counts, error);
    if (status != SER_OK)
        return status;
    ser_source_warn(&work->source);
    if (!work->source.stopped)
        status = ser_predict_choice_check(&work->choice, work->run, error);
    if (status != SER_OK)
        return status;
    ser_status fault = decide_blocks(work, error);
    ser_predict_report report = describe(work);
    ser_error writing = {0};
    status = ser_predict_write_results(&report, work->arguments, &writing);
    if (fault != SER_OK)
        return fault;
    if (status != SER_OK)
        *error = writing;
    return status != SER_OK ? status : ser_predict_verdict(&report);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    predict work = {.arguments = arguments, .choice = ser_predict_choice_of(arguments)};
    const ser_source_settings settings = {.verb = "predict", .reports = true};
    ser_status status = ser_source_open(&work.source, arguments, &settings, error);
    if (status == SER_OK)
        status = ser_predict_make_folders(arguments, error);
    if (status == SER_OK)
        status = analyse(&work, error);
    ser_prediction_fini(&work.prediction);
    if (!work.prediction.abandoned)
        ser_run_destroy(work.run);
    ser_source_close(&work.source);
    return status;
}

static const ser_option options[] = {
    {.name = "engine",
     .letter = 'e',
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .standard = "auto",
     .choices = "auto" SER_SEARCH_ENGINES(SER_CHOICE_NAME),
     .help = &(SER_SEARCH_ENGINES(
         SER_CHOICE_HELP) "; auto: whichever answers first, in growing slices of time")[2]},
    {.name = "criterion",
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .standard = "path",
     .choices = "path|serializability",
     .help = "what a violation is: a path of conflicts out of the block and back into it, or a "
             "cycle of transactions that the block lies on"},
    SER_OPTIONS_EFFORT("60"),
    {.name = "block",
     .letter = 'b',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = UINT32_MAX - 1,
     .help = "only the block that starts at event N"},
    {.name = "thread",
     .kind = SER_OPTION_TEXT,
     .argument = "NAME",
     .help = "only blocks of this "
             "thread"},
    {.name = "function",
     .kind = SER_OPTION_TEXT,
     .argument = "GLOB",
     .help = "only blocks whose label, or function, matches; * stands for any text"},
    {.name = "switches",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 0,
     .most = UINT32_MAX - 1,
     .help = "bound the context switches that nothing forces (dpor); a block without a "
             "violation within the bound is unknown"},
    {.name = "no-segment", .help = "search in the whole trace instead of the block's segment"},
    {.name = "no-static",
     .help = "search also where the static check proves that there is "
             "nothing"},
    {.name = "no-minimise", .help = "show interleavings as they were found, not made short"},
    {.name = "smt-order",
     .kind = SER_OPTION_CHOICE,
     .argument = "KIND",
     .standard = "int",
     .choices = "int|bits",
     .help = "smt: order variables as integers or as bit-vectors"},
    {.name = "solver-command",
     .kind = SER_OPTION_TEXT,
     .argument = "COMMAND",
     .help = "smt: run this SMT-LIB 2 solver, which reads standard input, instead of Z3 within "
             "the program"},
    {.name = "smt-dump",
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .help = "smt: keep the formulas in this folder"},
    {.name = "schedules",
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .help = "write each violation's interleaving into this folder, as a schedule to replay"},
    {.name = "verbose",
     .letter = 'v',
     .help = "tell every violation in full, and list all blocks with time and effort"},
    SER_OPTIONS_REPORT SER_OPTIONS_TRACE,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim predict run.srt", "can a block be violated?"},
    {"seriatim predict --atomic locks --timeout 5 run.std",
     "are critical sections, with at most 5 seconds for each?"},
    {"seriatim predict --block 120 --schedules out run.srt",
     "one block, with a schedule if it can be violated"},
    {"seriatim predict --json - run.std | jq .summary", "how many, for scripts"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no interleaving of this run violates a block"},
    {SER_VIOLATION, "a block can be violated (others may be undecided)"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace breaks a rule, or a file cannot be read or written"},
    {SER_UNDECIDED, "no violation was found, and some block is undecided"},
    {SER_INTERNAL, "a bug in seriatim: a predicted interleaving did not pass the check"},
    {0, NULL},
};

const ser_command ser_command_predict = {
    .name = "predict",
    .summary = "say whether another interleaving could violate a block",
    .usage = "[options] TRACE",
    .description =
        "Reads TRACE (a file, or - for standard input; text, native or RoadRunner log; plain or "
        "compressed with gzip or zstd) and decides for each atomic block whether the threads of "
        "this run could have taken turns in another way that violates it. Only interleavings "
        "count that the program can surely take: every thread does what it did, up to and "
        "including one read that gets another value, after which it stops.\n"
        "\n"
        "A violation is reported as the events that show it, and as an interleaving with a column "
        "for each thread. It has passed an independent check. For a block without one the answer "
        "is static (proven without a search) or none (searched in full); unknown means that time "
        "or memory ran out, or a bound was reached.\n"
        "\n"
        "Ctrl-C and --budget end the work early; what was decided by then is reported.",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
