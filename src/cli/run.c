/* SPDX-License-Identifier: MIT */
/*
 * seriatim run: the main job. Records the program, under one or several schedules,
 * checks and predicts from each run, and tells the distinct bugs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/json_file.h"
#include "cli/predict_results.h"
#include "cli/replaying.h"
#include "cli/run_analysis.h"
#include "cli/run_replay.h"

static bool json_on_standard_output(const ser_run_job *work)
{
    const char *path = ser_arguments_text(work->arguments, "json");
    return path && strcmp(path, "-") == 0;
}

/* With JSON on standard output the program's own goes to standard error. */
static ser_status record_aside(ser_run_job *work, const char *trace, ser_error *error)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return ser_fail(error, SER_INPUT, "standard output: %s", strerror(errno));
    ser_status status = ser_recording_run(&work->recording, trace, error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return status;
}

static void note_outcome(ser_run_job *work, const char *path)
{
    const ser_record_outcome *outcome = &work->recording.outcome;
    ser_run_trace trace = {
        .path = ser_copy_text(path, strlen(path)),
        .exit = outcome->status,
        .signal = outcome->signal,
        .deadlock = outcome->deadlock,
        .cut = *outcome->stopped || outcome->out_of_time,
    };
    ser_vector_push(&work->report.traces, trace);
}

/* The first schedule is the plain one; the others are random. */
void ser_run_use_schedule(ser_run_job *work, uint64_t schedule)
{
    char seed[32];
    uint64_t first = ser_arguments_given(work->arguments, "seed")
                         ? ser_arguments_number(work->arguments, "seed")
                         : 1;
    snprintf(seed, sizeof seed, "%" PRIu64, first + schedule);
    ser_settings_add(&work->recording.settings, "seed", seed);
    if (!ser_arguments_given(work->arguments, "scheduler"))
        ser_settings_add(&work->recording.settings, "scheduler",
                         schedule == 0 ? "round-robin" : "random");
}

/* What another program printed, whose results are in the same folder, must not stay. */
static void forget_output(const ser_run_job *work, uint64_t schedule)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/run-%" PRIu64 ".out", work->folder, schedule + 1);
    unlink(path);
}

static ser_status run_once(ser_run_job *work, uint64_t schedule, ser_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/run-%" PRIu64 ".srt", work->folder, schedule + 1);
    forget_output(work, schedule);
    ser_run_use_schedule(work, schedule);
    ser_status status = json_on_standard_output(work)
                            ? record_aside(work, path, error)
                            : ser_recording_run(&work->recording, path, error);
    if (status != SER_OK)
        return status;
    note_outcome(work, path);
    return ser_run_analyse(&work->report, work->arguments, work->folder, error);
}

static ser_status run_all(ser_run_job *work, ser_error *error)
{
    uint64_t schedules = ser_arguments_number(work->arguments, "schedules");
    ser_status status = SER_OK;
    for (uint64_t i = 0; status == SER_OK && i < schedules && !ser_should_stop(); i++)
        status = run_once(work, i, error);
    return status;
}

static ser_status write_json(const ser_run_job *work, const char *path, ser_error *error)
{
    ser_json_file file;
    ser_status status = ser_json_file_open(&file, path, error);
    if (status != SER_OK)
        return status;
    ser_run_report_json(&work->report, &file.json);
    return ser_json_file_finish(&file, error);
}

static ser_status write_report(const ser_run_job *work, ser_error *error)
{
    char path[4096];
    const char *json = ser_arguments_text(work->arguments, "json");
    snprintf(path, sizeof path, "%s/result.json", work->folder);
    ser_progress_erase();
    if (!json_on_standard_output(work))
        ser_run_report_text(&work->report, stdout);
    ser_status status = write_json(work, path, error);
    return status == SER_OK && json ? write_json(work, json, error) : status;
}

static ser_status exit_status(const ser_run_job *work)
{
    if (!ser_arguments_given(work->arguments, "program-status"))
        return ser_run_verdict(&work->report);
    return (ser_status)work->report.traces.items[work->report.traces.count - 1].exit;
}

static ser_status do_all(ser_run_job *work, ser_error *error)
{
    ser_error writing = {0};
    ser_status status = ser_make_folder(work->folder, error);
    if (status == SER_OK)
        status = run_all(work, error);
    if (!work->report.traces.count)
        return status != SER_OK ? status : SER_UNDECIDED;
    work->report.command = work->recording.options.command;
    if (status == SER_OK && !ser_arguments_given(work->arguments, "no-replay"))
        status = ser_run_replay(work, error);
    ser_bugs_rank(&work->report.bugs);
    ser_status written = write_report(work, &writing);
    if (status != SER_OK)
        return status;
    if (written != SER_OK)
        *error = writing;
    return written != SER_OK ? written : exit_status(work);
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    ser_run_job work = {.arguments = arguments, .folder = ser_arguments_text(arguments, "output")};
    bool help = false;
    ser_status status = ser_recording_init(&work.recording, arguments, 0, &help, error);
    if (status == SER_OK && help)
        ser_settings_help(stdout);
    else if (status == SER_OK)
        status = do_all(&work, error);
    ser_run_report_fini(&work.report);
    ser_recording_fini(&work.recording);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .standard = "seriatim.out",
     .help = "folder for what is made: traces, result.json, a schedule for each violation"},
    {.name = "schedules",
     .letter = 'n',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "1",
     .least = 1,
     .most = 1000000,
     .help = "run the program this many times; from the second time on threads take turns at "
             "random, each time with another seed"},
    {.name = "atomic",
     .kind = SER_OPTION_TEXT,
     .argument = "MODE|FILE",
     .standard = "auto",
     .help = "what is atomic: markers (annotations), locks (spans in which a thread holds a "
             "lock), functions (calls that touch shared data twice or more), auto (markers where "
             "there are any, else locks and functions), or a file of function names"},
    {.name = "timeout",
     .letter = 't',
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "10",
     .help = "give up on a block after this time; it stays undecided"},
    {.name = "memory",
     .kind = SER_OPTION_NUMBER,
     .argument = "MB",
     .least = 1,
     .most = UINT64_C(1) << 30,
     .help = "memory for the search of one block, in megabytes"},
    {.name = "jobs",
     .letter = 'j',
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 1024,
     .help = "blocks to work on at the same time; if not given, as many as there are cores"},
    {.name = "no-replay", .help = "do not force the program into what was predicted"},
    SER_OPTIONS_REPLAYING,
    {.name = "lenient",
     .help = "drop events that break a rule of well-formed traces, instead of refusing the trace"},
    {.name = "program-status", .help = "exit with the program's own status instead of the verdict"},
    SER_OPTION_JSON,
    SER_OPTIONS_RECORDING,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim run -- ./bank", "is ./bank atomic where it is meant to be?"},
    {"seriatim run --schedules 20 --seed 7 -- ./bank 100", "twenty different runs of it"},
    {"seriatim run --atomic locks -- ./server --selftest", "are critical sections large enough?"},
    {"seriatim run --json - -- ./bank | jq '.violations[].function'", "for scripts"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no interleaving of what was recorded violates a block"},
    {SER_VIOLATION, "a block was, or can be, violated"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, or something could not be written"},
    {SER_UNDECIDED, "no violation was found, and something stayed undecided; or a deadlock"},
    {SER_INTERNAL, "a bug in seriatim"},
    {0, NULL},
};

const ser_command ser_command_run = {
    .name = "run",
    .summary = "record a program, check it, predict from it: the main job",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, which must have been built with seriatim cc or seriatim c++ (also as "
        "CC=seriatim-cc, CXX=seriatim-c++), records what its threads do, and decides for each "
        "atomic block whether it was violated, or can be in another interleaving of the same "
        "run. Each distinct bug is told once, with the lines of source on both sides, the surest "
        "first: blocks that are marked as atomic, then those under a lock, then functions.\n"
        "\n"
        "A bug's id, in brackets, stays the same from run to run and when unrelated code changes. "
        "Traces, result.json and schedules are left in the output folder.",
    .options = options,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
