/* SPDX-License-Identifier: MIT */
/*
 * seriatim replay: forces the real program through a predicted interleaving, so that its
 * owner sees the violation happen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/print.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/load_run.h"
#include "cli/predict_settings.h"
#include "cli/replaying.h"
#include "cli/report_files.h"

enum { LONGEST_REPLAY = 600 }; /* seconds, unless --run-limit says otherwise */

typedef struct replay {
    const ser_arguments *arguments;
    ser_source source;
    ser_run *run;
    ser_event_list order;
    uint32_t block;
    ser_recording recording;
    ser_replay_result result;
    bool abandoned; /* the prediction: the run must stay */
} replay;

/* --- what to replay ------------------------------------------------------- */

static bool is_wanted(const void *context, const ser_run *run, uint32_t block)
{
    return run->blocks.items[block].begin == *(const uint32_t *)context;
}

static ser_status take_prediction(replay *work, const ser_prediction *prediction, ser_error *error)
{
    if (prediction->results.count == 0)
        return ser_fail(error, SER_USAGE,
                        "no block starts at event %" PRIu32
                        "; was the trace analysed with a different --atomic?",
                        work->block);
    const ser_block_result *result = &prediction->results.items[0];
    if (result->verdict != SER_VERDICT_VIOLATION)
        return ser_fail(error, SER_UNDECIDED,
                        "block %" PRIu32 ": there is nothing to replay, the prediction is %s",
                        work->block, ser_verdict_name(result->verdict));
    for (size_t i = 0; i < result->order.count; i++)
        ser_vector_push(&work->order, result->order.items[i]);
    return SER_OK;
}

static ser_status predict(replay *work, ser_error *error)
{
    ser_prediction prediction = {0};
    ser_predict_options options = ser_predict_effort(work->arguments);
    options.wanted = is_wanted;
    options.context = &work->block;
    options.should_stop = ser_should_stop;
    ser_status status = ser_predict(&prediction, work->run, &options, error);
    if (status == SER_OK)
        status = take_prediction(work, &prediction, error);
    ser_prediction_fini(&prediction);
    work->abandoned = prediction.abandoned;
    return status;
}

static ser_status find_order(replay *work, ser_error *error)
{
    const char *schedule = ser_arguments_text(work->arguments, "schedule");
    if (schedule)
        return ser_replay_read_schedule(schedule, work->run, &work->order, &work->block, error);
    work->block = (uint32_t)ser_arguments_number(work->arguments, "block");
    return predict(work, error);
}

/* --- what is said about it ------------------------------------------------ */

static ser_status tell(const replay *work, ser_error *error)
{
    const ser_replay_report report = {&work->result, work->run, work->block};
    return ser_report_deliver(&(ser_report){.replay = &report}, work->arguments, error);
}

static ser_status exit_code(const ser_replay_result *result)
{
    if (result->verdict == SER_REPLAY_SHOWN)
        return SER_VIOLATION;
    return result->verdict == SER_REPLAY_DIVERGED ? SER_UNDECIDED : SER_OK;
}

/* --- the command ---------------------------------------------------------- */

/* What comes from a pipe cannot be read again. */
static const char *recorded_path(const ser_arguments *arguments)
{
    const char *path = ser_arguments_operand(arguments, 0);
    return strcmp(path, "-") == 0 || ser_arguments_given(arguments, "no-inputs") ? NULL : path;
}

static ser_status do_it(replay *work, ser_error *error)
{
    ser_counts counts;
    ser_status status = ser_load_run(&work->source, &work->run, &counts, error);
    if (status == SER_OK)
        status = find_order(work, error);
    if (status != SER_OK)
        return status;
    const ser_replay_aim aim = {
        .run = work->run,
        .block = work->block,
        .order = &work->order,
        .trace = ser_arguments_text(work->arguments, "output"),
        .recorded = recorded_path(work->arguments),
        .output = ser_report_takes_stdout(work->arguments) ? "/dev/stderr" : NULL,
        .attempts = (unsigned)ser_arguments_number(work->arguments, "attempts"),
        .step = ser_arguments_given(work->arguments, "step"),
        .gdb = ser_arguments_given(work->arguments, "gdb"),
        .grace = ser_arguments_seconds(work->arguments, "grace"),
    };
    ser_recording_own(&work->recording);
    if (work->recording.run_limit == 0 && !aim.step && !aim.gdb) /* somebody looks on */
        work->recording.run_limit = LONGEST_REPLAY;
    status = ser_replay(&work->recording, &aim, work->arguments, &work->result, error);
    if (status == SER_OK)
        status = tell(work, error);
    return status == SER_OK ? exit_code(&work->result) : status;
}

/* The first operand is the trace, the others are the program. */
static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    replay work = {.arguments = arguments};
    bool help = false;
    if (!ser_arguments_given(arguments, "block") && !ser_arguments_given(arguments, "schedule"))
        return ser_fail(error, SER_USAGE, "say which block: --block N, or --schedule FILE");
    ser_status status = ser_recording_init(&work.recording, arguments, 1, &help, error);
    work.recording.options.replaces = true;
    const ser_source_settings settings = {.verb = "replay",
                                          .output = ser_arguments_text(arguments, "output")};
    if (status == SER_OK && help)
        ser_settings_help(stdout);
    else if (status == SER_OK)
        status = ser_source_open(&work.source, arguments, &settings, error);
    if (status == SER_OK && !help)
        status = do_it(&work, error);
    ser_recording_fini(&work.recording);
    ser_vector_free(&work.order);
    if (!work.abandoned)
        ser_run_destroy(work.run);
    ser_source_close(&work.source);
    return status;
}

static const ser_option options[] = {
    {.name = "block",
     .letter = 'b',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = UINT32_MAX - 1,
     .help = "the block that starts at event N; how it can be violated is predicted first"},
    {.name = "schedule",
     .letter = 's',
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .help = "follow this schedule, which predict or run has written"},
    SER_OPTIONS_REPLAYING,
    {.name = "step",
     .help = "from the block's beginning on, show each step with its line of source and wait for "
             "Enter (a number: so many steps; c: go on to the end; q: stop)"},
    {.name = "gdb",
     .help = "stop at the violation, with all threads where the schedule has them, under gdb"},
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .standard = "replay.srt",
     .help = "the trace of the replay"},
    SER_OPTIONS_EFFORT("60"),
    SER_OPTIONS_REPORT SER_OPTIONS_TRACE_WITH("auto"), /* as for run, whose schedules these are */
    SER_OPTIONS_RECORDING,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim replay seriatim.out/run-1.srt --block 24 -- ./bank", "show it"},
    {"seriatim replay run.srt --schedule violation-1.schedule -- ./bank", "from a file"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_VIOLATION, "the violation was shown"},
    {SER_OK, "the schedule was followed, but the block was not violated"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the trace or the schedule cannot be read, or the program is not instrumented"},
    {SER_UNDECIDED, "the program diverged from the schedule, or there is nothing to replay"},
    {SER_INTERNAL, "a bug in seriatim"},
    {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},
    {(ser_status)SER_PROGRAM_NOT_FOUND, "the program was not found"},
    {0, NULL},
};

const ser_command ser_command_replay = {
    .name = "replay",
    .summary = "force a program through a predicted schedule",
    .usage = "[options] TRACE --block N -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, the one that TRACE was recorded from, so that its threads are scheduled as "
        "in "
        "the predicted interleaving that violates the block, up to the violation; from there on "
        "they are free. Each step must be the one that was recorded. Where the program does "
        "something else, because its input, the time or chance differ, the replay says where and "
        "what, and ends the program.\n"
        "\n"
        "The replay is recorded as well, and the violation is said to be shown only if that trace "
        "has it.",
    .options = options,
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
