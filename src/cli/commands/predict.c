/* SPDX-License-Identifier: MIT */
/*
 * seriatim predict: can another interleaving of the same run violate a block?
 *
 * The trace is read once, into memory; then the driver (predict/predict.h) decides
 * block by block. Whatever ends the work early, the blocks decided by then are
 * reported and the others are unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/output/log.h"
#include "cli/command.h"
#include "cli/commands/predict_windows.h"
#include "cli/report_files.h"
#include "cli/shared_options.h"
#include "cli/translate.h"
#include "session/folder.h"
#include "session/predict_task.h"
#include "session/predicting.h"
#include "session/schedules.h"

static bool is_criterion(const ser_arguments *arguments, const char *name)
{
    return strcmp(ser_arguments_text(arguments, "criterion"), name) == 0;
}

static bool lists_only_notable(const ser_arguments *arguments)
{
    return strcmp(ser_arguments_text(arguments, "json-blocks"), "notable") == 0;
}

/* choose has seen that it is one. */
static ser_shard part_of(const ser_arguments *arguments)
{
    ser_shard part;
    ser_error ignored;
    ser_shard_parse(&part, "split", ser_arguments_text(arguments, "split"), &ignored);
    return part;
}

/* `task` is for a shard or a part; it must last as long as the report. */
static ser_predict_report describe(const ser_loaded *loaded, const ser_prediction *prediction,
                                   const ser_predict_choice *choice, const char *task,
                                   const ser_arguments *arguments)
{
    const ser_counts *counts = &loaded->counts;
    ser_predict_summary summary = ser_predict_summarise(prediction);
    const char *stopped = summary.verdicts[SER_VERDICT_UNKNOWN] ? ser_stop_reason() : NULL;
    return (ser_predict_report){
        .path = loaded->source.path,
        .partial = loaded->source.stopped ? loaded->source.stopped : stopped,
        .atomic = ser_arguments_given(arguments, "atomic") ? ser_arguments_text(arguments, "atomic")
                                                           : NULL,
        .schedules = ser_arguments_text(arguments, "schedules"),
        .serializability = is_criterion(arguments, "serializability"),
        .triples = is_criterion(arguments, "triple"),
        .verbose = ser_arguments_given(arguments, "verbose"),
        .size = {counts->events, counts->threads, counts->locks, counts->variables, counts->blocks},
        .shard = choice->shard,
        .part = part_of(arguments),
        .task = task,
        .prediction = prediction,
        .only_notable = lists_only_notable(arguments),
    };
}

/* Schedules first, since the report names them. If one cannot be written, the report is written
 * nevertheless. */
static ser_status write_results(ser_predict_report *report, const ser_arguments *arguments,
                                ser_error *error)
{
    bool *unwritten = ser_alloc(report->prediction->results.count, sizeof *unwritten);
    ser_error problem = {0};
    ser_status status = report->schedules ? ser_write_schedules(report, unwritten, error) : SER_OK;
    if (status == SER_OK && report->schedules && report->candidates)
        status = ser_write_candidates(report, error);
    report->unwritten = unwritten;
    if (ser_report_deliver(&(ser_report){.predict = report}, arguments, &problem) != SER_OK) {
        if (status != SER_OK)
            ser_complain("%s", problem.text);
        else
            status = ser_fail(error, problem.status, "%s", problem.text);
    }
    report->unwritten = NULL;
    free(unwritten);
    return status;
}

/* Blocks, then candidates if they are wanted. */
static ser_status predict(ser_loaded *loaded, const ser_predict_choice *choice,
                          const ser_arguments *arguments, ser_prediction *prediction,
                          ser_candidate_list *candidates, ser_error *error)
{
    ser_predict_options options = ser_predict_options_of(arguments);
    options.keep_survey = ser_arguments_given(arguments, "list-candidates");
    options.part = part_of(arguments);
    options.near = ser_predict_near_of(arguments);
    ser_status status = ser_predict_loaded(prediction, loaded, choice, &options, error);
    if (status == SER_OK && options.keep_survey && !prediction->abandoned)
        status = ser_predict_candidates(candidates, prediction, &options, error);
    return status;
}

static void name_task(const ser_loaded *loaded, const ser_predict_choice *choice,
                      const ser_arguments *arguments, char task[SER_PREDICT_TASK_SIZE])
{
    const ser_predict_options options = ser_predict_options_of(arguments);
    ser_predict_task(loaded->run, &options, choice, task);
}

/* A witness that the checker refuses is a bug in seriatim; the results of the other blocks are
 * reported nevertheless. */
static ser_status decide(ser_loaded *loaded, const ser_predict_choice *choice,
                         const ser_arguments *arguments, ser_error *error)
{
    ser_prediction prediction = {0};
    ser_candidate_list candidates = {0};
    ser_status fault = predict(loaded, choice, arguments, &prediction, &candidates, error);
    char task[SER_PREDICT_TASK_SIZE] = "";
    if (choice->shard.of || part_of(arguments).of)
        name_task(loaded, choice, arguments, task);
    ser_predict_report report = describe(loaded, &prediction, choice, task, arguments);
    if (ser_arguments_given(arguments, "list-candidates"))
        report.candidates = &candidates;
    ser_read_counts reads;
    if (strcmp(ser_arguments_text(arguments, "model"), "guards") == 0 && fault == SER_OK) {
        reads = ser_read_counts_of(loaded->run);
        report.reads = &reads;
    }
    ser_error writing = {0};
    ser_status status = write_results(&report, arguments, &writing);
    if (fault == SER_OK && status != SER_OK)
        *error = writing;
    if (fault == SER_OK && status == SER_OK)
        status = ser_predict_verdict(&report);
    ser_candidate_list_fini(&candidates);
    ser_prediction_fini(&prediction);
    return fault != SER_OK ? fault : status;
}

static ser_sifting sifting_of(const ser_arguments *arguments)
{
    /* Schedules and candidates are of all events, blocks are named by them, and cycles of
     * transactions may go through accesses that no path needs. A pipe is not read twice. */
    static const char *const need_all[] = {"schedules", "list-candidates", "block", NULL};
    const char *choice = ser_arguments_text(arguments, "projection");
    bool is_whole = strcmp(ser_arguments_text(arguments, "criterion"), "path") != 0 ||
                    strcmp(ser_arguments_operand(arguments, 0), "-") == 0 ||
                    ser_arguments_any_given(arguments, need_all);
    if (is_whole || strcmp(choice, "never") == 0)
        return SER_SIFT_NEVER;
    return strcmp(choice, "always") == 0 ? SER_SIFT_ALWAYS : SER_SIFT_LARGE;
}

static ser_status analyse(ser_loaded *loaded, const ser_predict_choice *choice,
                          const ser_arguments *arguments, ser_error *error)
{
    const ser_sift_options how = {
        .when = sifting_of(arguments),
        .only_avp = strcmp(ser_arguments_text(arguments, "model"), "avp") == 0,
        .memory = ser_arguments_number(arguments, "memory-total") << 20,
    };
    ser_status status = ser_loaded_sift(loaded, &how, error);
    if (status == SER_UNDECIDED && !loaded->run) {
        ser_message("%s: instead, each block is decided in a window around it", error->text);
        *error = (ser_error){0};
        ser_loaded_close(loaded);
        return ser_run_in_windows(arguments, error);
    }
    if (status != SER_OK)
        return status;
    ser_source_warn(&loaded->source);
    if (!loaded->source.stopped)
        status = ser_predict_choice_check(choice, loaded->run, error);
    return status == SER_OK ? decide(loaded, choice, arguments, error) : status;
}

/* Candidates are listed once per place, whichever blocks it has: shards do not add up to that. Nor
 * are triples added up by merge. */
static ser_status choose(ser_predict_choice *choice, const ser_arguments *arguments,
                         ser_error *error)
{
    *choice = ser_predict_choice_of(arguments);
    ser_shard part = {0};
    ser_status status =
        ser_shard_parse(&choice->shard, "shard", ser_arguments_text(arguments, "shard"), error);
    if (status == SER_OK)
        status = ser_shard_parse(&part, "split", ser_arguments_text(arguments, "split"), error);
    if (status != SER_OK || (!choice->shard.of && !part.of))
        return status;
    const char *option = part.of ? "split" : "shard";
    if (choice->shard.of && part.of)
        return ser_fail(error, SER_USAGE, "--split does not go with --shard");
    if (ser_arguments_given(arguments, "list-candidates"))
        return ser_fail(error, SER_USAGE, "--list-candidates does not go with --%s", option);
    if (lists_only_notable(arguments))
        return ser_fail(error, SER_USAGE, "--json-blocks notable does not go with --%s", option);
    if (is_criterion(arguments, "triple"))
        return ser_fail(error, SER_USAGE, "--criterion triple does not go with --%s", option);
    return SER_OK;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    if (ser_wants_windows(arguments))
        return ser_run_in_windows(arguments, error);
    ser_source_settings settings = ser_source_of(arguments, "predict");
    settings.keep = sifting_of(arguments) != SER_SIFT_NEVER;
    ser_loaded loaded = {0};
    ser_predict_choice choice;
    ser_status status = choose(&choice, arguments, error);
    if (status == SER_OK)
        status = ser_refuse_outputs(arguments, NULL, true, error);
    if (status == SER_OK)
        status = ser_loaded_open(&loaded, &settings, error);
    if (status == SER_OK)
        status = ser_make_folder(ser_arguments_text(arguments, "schedules"), error);
    if (status == SER_OK)
        status = ser_make_folder(ser_arguments_text(arguments, "smt-dump"), error);
    if (status == SER_OK)
        status = analyse(&loaded, &choice, arguments, error);
    ser_loaded_close(&loaded);
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
     .choices = "path|serializability|triple",
     .help = "what a violation is. path: conflicts lead out of the block and back into it; "
             "serializability: the block lies on a cycle of transactions; triple: three accesses "
             "of one variable, two of the block and between them another thread's, have no "
             "serial order. Triples are also counted, and decided by saturation and the solver "
             "alone, whatever --engine says"},
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
    {.name = "shard",
     .kind = SER_OPTION_TEXT,
     .argument = "K/N",
     .help = "only the K-th of N parts of the blocks; `seriatim merge` makes one result of the "
             "files that all of them write with --json"},
    {.name = "split",
     .kind = SER_OPTION_TEXT,
     .argument = "K/N",
     .help = "only the K-th of N parts of the ways in which each block could be violated, for a "
             "block (--block) that is too much work for one process; none then holds for that part "
             "alone. `seriatim merge` makes one result of the files that all of them write with "
             "--json"},
    {.name = "list-candidates",
     .help = "also list, for code without a violation, how it could be violated if threads "
             "went on in the same way after a read of a different write. That proves "
             "nothing, and changes no exit status"},
    {.name = "switches",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 0,
     .most = UINT32_MAX - 1,
     .help = "bound the context switches that nothing forces (dpor); a block without a "
             "violation within the bound is unknown"},
    {.name = "projection",
     .kind = SER_OPTION_CHOICE,
     .argument = "WHEN",
     .standard = "auto",
     .choices = "auto|always|never",
     .help =
         "drop accesses of variables that only one thread uses or that are never written, which "
         "changes no verdict and saves memory; auto: if the trace would take more than "
         "half of --memory-total. "
         "Not with --criterion serializability, --schedules, --block, --list-candidates, nor "
         "where other models than avp have more to look at"},
    {.name = "memory-total",
     .kind = SER_OPTION_NUMBER,
     .argument = "MB",
     .least = 1,
     .most = UINT64_C(1) << 30,
     .help = "what the loaded trace may take, about, in megabytes; if not given, half of the "
             "machine's memory. A larger one is decided in windows, as by --window 1024, and what "
             "is known of windows alone is undecided. Not for standard input, nor with what "
             "--projection excludes"},
    {.name = "window",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 2,
     .most = 1 << 20,
     .help = "do not load the trace: decide each block while it is read, by the N events around "
             "the block and a few more. A violation is certain; that there is none is known of the "
             "window alone, and is no reason for exit status 4"},
    {.name = "follow",
     .help = "the same for a trace that may never end, such as standard input: with --window 1024, "
             "unless another one is given"},
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
    {.name = "json-blocks",
     .kind = SER_OPTION_CHOICE,
     .argument = "WHICH",
     .standard = "all",
     .choices = "all|notable",
     .help = "which blocks the JSON lists; notable: those that can be violated or have no answer. "
             "The others (static, none, none within a window) are then counted in leftOut"},
    {.name = "verbose",
     .letter = 'v',
     .help = "report every violation in full, and list all blocks with time and effort"},
    SER_OPTIONS_REPORT SER_OPTIONS_TRACE,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim predict run.srt", "can a block be violated?"},
    {"seriatim predict --atomic locks --timeout 5 run.std",
     "are critical sections, with at most 5 seconds for each?"},
    {"seriatim predict --block 120 --schedules out run.srt",
     "one block, with a schedule if it can be violated"},
    {"seriatim predict --shard 3/8 --json part-3.json run.srt",
     "the third of eight parts, for eight machines"},
    {"seriatim predict --window 1024 huge.srt", "a trace that is larger than memory"},
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
    .description = SER_READS_TRACE
    "decides for each atomic block whether it is violated in "
    "another interleaving of this run. Only interleavings count that are certain to be possible: "
    "every thread does what it did, and stops after a read of a different write, unless it "
    "certainly goes on in the same way (--model).\n"
    "\n"
    "A violation is reported as the events that show it, and as an interleaving with a column "
    "for each thread. It has passed an independent check. For a block without one the answer "
    "is static (proven without a search) or none (searched in full); unknown means that time "
    "or memory ran out, or a bound was reached (with --window, that the window has none).\n"
    "\n"
    "Ctrl-C and --budget end the work early; what was decided by then is reported.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
