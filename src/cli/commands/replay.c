/* SPDX-License-Identifier: MIT */
/*
 * seriatim replay: forces the real program through a predicted interleaving, so that the user sees
 * the violation happen; or through a recorded run, so that it happens again.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands/replay_walk.h"
#include "cli/report_files.h"
#include "cli/shared_options.h"
#include "cli/translate.h"
#include "session/predicting.h"
#include "session/reporting/lookup.h"
#include "session/schedules.h"

enum { LONGEST_REPLAY = 600 }; /* seconds, unless --run-limit says otherwise */

typedef struct replay {
    const ser_arguments *arguments;
    ser_lookup found; /* by an ID; without: .trace is NULL */
    ser_reading reading;
    ser_loaded loaded;
    ser_event_list order, changed; /* the interleaving, and its reads of different writes */
    uint32_t block;                /* to be violated; 0: none, the run is to happen again */
    ser_recording recording;
    char folder[4096]; /* of the output */
    ser_replay_result result;
} replay;

/* The recorded run itself. */
static void take_all_events(replay *work)
{
    const ser_run *run = work->loaded.run;
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->eid[i])
            ser_vector_push(&work->order, i);
}

static ser_status find_order(replay *work, ser_error *error)
{
    const char *schedule = ser_arguments_text(work->arguments, "schedule");
    bool by_block = ser_arguments_given(work->arguments, "block");
    if (!schedule && !by_block)
        schedule = work->found.schedule;
    if (!schedule && !by_block && !work->found.block) {
        take_all_events(work);
        return SER_OK;
    }
    if (schedule)
        return ser_read_schedule(schedule, work->loaded.run, &work->order, &work->changed,
                                 &work->block, error);
    const ser_effort effort = ser_effort_of(work->arguments);
    work->block =
        (uint32_t)(by_block ? ser_arguments_number(work->arguments, "block") : work->found.block);
    return ser_predict_witness(&work->order, &work->loaded, work->block, &effort, error);
}

/* What comes from a pipe cannot be read again. */
static ser_status find_inputs(replay *work, const ser_input_list **inputs, ser_error *error)
{
    *inputs = NULL;
    if (strcmp(work->loaded.source.path, "-") == 0 ||
        ser_arguments_given(work->arguments, "no-inputs"))
        return SER_OK;
    return ser_loaded_inputs(&work->loaded, inputs, error);
}

/* Copies of the working folder are made beside the trace of the replay. */
static ser_status begin_surroundings(replay *work, const char *output, ser_error *error)
{
    ser_surroundings *around = &work->recording.around;
    const char *slash = strrchr(output, '/');
    snprintf(work->folder, sizeof work->folder, "%.*s", slash ? (int)(slash - output) + 1 : 1,
             slash ? output : ".");
    ser_status status = ser_surroundings_begin(around, work->folder, false, error);
    return status == SER_OK ? ser_surroundings_find_input(around, work->loaded.source.path, error)
                            : status;
}

static ser_status force(replay *work, ser_error *error)
{
    const ser_arguments *arguments = work->arguments;
    ser_walk walk = {.step = ser_arguments_given(arguments, "step"),
                     .gdb = ser_arguments_given(arguments, "gdb")};
    const ser_replay_watcher watcher = ser_walk_watcher(&walk);
    bool is_watched = walk.step || walk.gdb;
    ser_replay_aim aim = {
        .run = work->loaded.run,
        .block = work->block,
        .order = &work->order,
        .trace = ser_arguments_text(arguments, "output"),
        .reading = work->reading,
        .output = ser_report_takes_stdout(arguments) ? "/dev/stderr" : NULL,
        .attempts = (unsigned)ser_arguments_number(arguments, "attempts"),
        .strict = ser_arguments_given(arguments, "strict"),
        .changed = &work->changed,
        .watcher = is_watched ? &watcher : NULL,
        .grace = ser_arguments_seconds(arguments, "grace"),
    };
    ser_recording_own(&work->recording);
    if (work->recording.run_limit == 0 && !is_watched)
        work->recording.run_limit = LONGEST_REPLAY;
    ser_status status = find_inputs(work, &aim.inputs, error);
    if (status == SER_OK)
        status = begin_surroundings(work, aim.trace, error);
    if (status == SER_OK)
        status = ser_replay(&work->recording, &aim, &work->result, error);
    if (status == SER_OK && work->result.verdict == SER_REPLAY_SHOWN)
        ser_surroundings_keep(&work->recording.around, aim.trace);
    return status;
}

static ser_status print_result(const replay *work, ser_error *error)
{
    const ser_replay_report report = {&work->result, work->loaded.run, work->block};
    return ser_report_deliver(&(ser_report){.replay = &report}, work->arguments, error);
}

static ser_status exit_code(const replay *work)
{
    const ser_replay_result *result = &work->result;
    bool failed = result->signal || result->deadlock || result->status || result->misuses_memory;
    if (result->verdict == SER_REPLAY_SHOWN)
        return work->block || failed || work->found.trace ? SER_VIOLATION : SER_OK;
    return result->verdict == SER_REPLAY_DIVERGED ? SER_UNDECIDED : SER_OK;
}

static ser_status do_it(replay *work, ser_error *error)
{
    ser_source_settings settings = ser_source_of(work->arguments, "replay");
    if (work->found.trace)
        settings.path = work->found.trace;
    if (work->found.trace && !ser_arguments_given(work->arguments, "atomic"))
        settings.reading.atomic = work->found.atomic;
    work->reading = settings.reading;
    ser_status status = ser_refuse_outputs(
        work->arguments, ser_arguments_text(work->arguments, "output"), false, error);
    if (status == SER_OK)
        status = ser_loaded_make(&work->loaded, &settings, error);
    if (status == SER_OK)
        status = find_order(work, error);
    if (status == SER_OK)
        status = force(work, error);
    if (status == SER_OK)
        status = print_result(work, error);
    return status == SER_OK ? exit_code(work) : status;
}

/* The first operand may be an ID rather than the name of a file. */
static ser_status find_by_id(replay *work, ser_error *error)
{
    const char *id = ser_arguments_operand(work->arguments, 0);
    bool is_file = strcmp(id, "-") == 0 || access(id, F_OK) == 0;
    if (!ser_is_id(id) && !is_file)
        return ser_fail(error, SER_INPUT, "%s is neither a trace nor the id of a finding", id);
    if (is_file)
        return SER_OK;
    ser_status status =
        ser_lookup_find(&work->found, ser_arguments_text(work->arguments, "folder"), id, error);
    if (status == SER_OK && !work->found.trace)
        status = ser_fail(error, SER_INPUT, "%s was found without a trace to replay", id);
    return status;
}

/* The first operand is the trace or an ID, the others are the program: with an ID, by default the
 * one that was run. */
static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    replay work = {.arguments = arguments};
    bool help = false;
    ser_status status = find_by_id(&work, error);
    if (status == SER_OK)
        status =
            ser_recording_of(&work.recording, arguments, 1, work.found.command.items, &help, error);
    work.recording.options.replaces = true;
    ser_surroundings_of(&work.recording, arguments);
    work.recording.around.not_first = true; /* the first was recorded */
    if (status == SER_OK && !help)
        status = do_it(&work, error);
    ser_recording_fini(&work.recording);
    ser_vector_free(&work.order);
    ser_vector_free(&work.changed);
    ser_loaded_close(&work.loaded);
    ser_lookup_fini(&work.found);
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
    SER_OPTION_FOLDER,
    SER_OPTIONS_REPLAYING,
    SER_OPTIONS_SURROUNDINGS(""),
    {.name = "strict",
     .help = "each step must be the recorded one; do not go on with a replay by place, where "
             "threads may take other paths and give way where the schedule says"},
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
    SER_OPTIONS_RECORDING(". Without it: ten minutes, unless --step or --gdb is given"),
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim replay 463d135d80", "what run has reported with that id"},
    {"seriatim replay seriatim.out/run-1.srt --block 24 -- ./bank", "show it"},
    {"seriatim replay run.srt --schedule violation-1.schedule -- ./bank", "from a file"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "the schedule was followed, but the block was not violated"},
    {SER_VIOLATION, "the violation was shown, or the run that failed happened again"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the trace or the schedule cannot be read, or the program is not instrumented"},
    {SER_UNDECIDED, "the program diverged from the schedule, or there is nothing to replay"},
    SER_EXIT_PROGRAM,
    {0, NULL},
};

const ser_command ser_command_replay = {
    .name = "replay",
    .summary = "force a program through a predicted schedule",
    .usage = "[options] ID|TRACE [--block N] [-- PROGRAM [ARGUMENTS]]",
    .description =
        "Runs PROGRAM, the one that TRACE was recorded from, so that its threads are scheduled as "
        "in "
        "the predicted interleaving that violates the block, up to the violation; from there on "
        "they are free. Each step must be the one that was recorded. Where the program does "
        "something else, because its input, the time or random numbers differ, the replay says "
        "where and "
        "what, ends the program, and tries once more by place: threads may take other paths, and "
        "give way where they reach the last place of their turn.\n"
        "\n"
        "An ID is that of a finding of run or explore: trace, schedule and, unless it is given, "
        "the "
        "program are looked up in their output folder.\n"
        "\n"
        "Without --block and --schedule the recorded run itself happens again, up to its end: for "
        "a run that failed.\n"
        "\n"
        "The replay is recorded as well, and the violation is said to be shown if and only if that "
        "trace has it: some run of the same code is violated there, however the program ended.",
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
