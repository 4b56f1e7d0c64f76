/* SPDX-License-Identifier: MIT */
/*
 * seriatim record: runs an instrumented program and writes a trace of it. The
 * exit status is the program's, so that record can stand before any command.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/vector.h"
#include "cli/command.h"
#include "record/record.h"
#include "record/settings.h"

enum { DEADLOCK_STATUS = 6 };

/* Flags that become settings of the runtime. */
static const struct {
    const char *flag, *setting;
} runtime_flags[] = {
    {"scheduler", "scheduler"}, {"seed", "seed"},     {"quantum", "quantum"},
    {"depth", "depth"},         {"length", "length"},
};

/* What is in the environment first, then what the command line says. */
static ser_status gather_settings(ser_settings *settings, const ser_arguments *arguments,
                                  bool *help, ser_error *error)
{
    ser_settings_add_text(settings, getenv(SER_OPTIONS_VARIABLE));
    ser_settings_add_text(settings, ser_arguments_text(arguments, "runtime"));
    for (size_t i = 0; i < sizeof runtime_flags / sizeof *runtime_flags; i++)
        if (ser_arguments_given(arguments, runtime_flags[i].flag))
            ser_settings_add(settings, runtime_flags[i].setting,
                             ser_arguments_text(arguments, runtime_flags[i].flag));
    if (ser_arguments_given(arguments, "no-calls"))
        ser_settings_add(settings, "calls", "0");
    return ser_settings_check(settings, help, error);
}

/* --- what is said at the end ---------------------------------------------- */

static void tell_lines(const ser_finish_result *result)
{
    for (size_t at = 0; at < result->messages.count;) {
        const char *line = result->messages.items + at;
        size_t length = strcspn(line, "\n");
        ser_complain("%.*s", (int)length, line);
        at += length + 1;
    }
}

static void tell_trace(const char *path, const ser_finish_result *result)
{
    tell_lines(result);
    if (result->lost > 0)
        ser_warning("%" PRIu64 " events could not be recorded; see seriatim info %s", result->lost,
                    path);
    if (result->stolen > 0)
        ser_message("threads lost their turn %" PRIu64 " times in code that is not instrumented",
                    result->stolen);
    ser_message("wrote %s: %" PRIu64 " event%s", path, result->events,
                result->events == 1 ? "" : "s");
}

static ser_status tell_not_instrumented(const char *program, ser_error *error)
{
    return ser_fail(error, SER_INPUT,
                    "%s is not instrumented, so nothing was recorded; build it with CC=seriatim-cc "
                    "CXX=seriatim-c++ (or seriatim cc, seriatim c++) and record it again",
                    program);
}

static ser_status tell_outcome(const ser_record_outcome *outcome, const ser_record_options *options,
                               bool own_status, ser_error *error)
{
    const char *name = options->command[0];
    if (outcome->signal && !outcome->deadlock && !outcome->out_of_time)
        ser_message("%s was ended by signal %d (%s)", name, outcome->signal,
                    strsignal(outcome->signal));
    if (!outcome->instrumented)
        return tell_not_instrumented(name, error);
    if (*outcome->stopped)
        ser_warning("recording stopped before %s ended: %s", name, outcome->stopped);
    tell_trace(options->trace, &outcome->trace);
    if (outcome->deadlock) {
        ser_complain("%s deadlocked and was ended", name);
        return (ser_status)DEADLOCK_STATUS;
    }
    if (outcome->out_of_time)
        ser_warning("the budget was used up, and %s was ended", name);
    return own_status ? SER_OK : (ser_status)outcome->status;
}

/* --- the command ---------------------------------------------------------- */

static ser_status record(const ser_arguments *arguments, const char *runtime, ser_error *error)
{
    SER_VECTOR(char *) command = {0};
    for (size_t i = 0; i < ser_arguments_operand_count(arguments); i++)
        ser_vector_push(&command, (char *)(uintptr_t)ser_arguments_operand(arguments, i));
    ser_vector_push(&command, NULL);
    ser_record_options options = {
        .command = command.items,
        .trace = ser_arguments_text(arguments, "output"),
        .parallel = strcmp(ser_arguments_text(arguments, "mode"), "parallel") == 0,
        .runtime = runtime,
        .limit = ser_limit_standard(),
        .verify = ser_arguments_given(arguments, "verify"),
    };
    const char *limit = ser_arguments_text(arguments, "limit");
    ser_record_outcome outcome = {0};
    ser_status status = limit ? ser_limit_read(&options.limit, limit, error) : SER_OK;
    if (status == SER_OK)
        status = ser_record_program(&options, &outcome, error);
    if (status == SER_OK)
        status =
            tell_outcome(&outcome, &options, ser_arguments_given(arguments, "own-status"), error);
    ser_vector_free(&outcome.trace.messages);
    ser_vector_free(&command);
    return status;
}

static ser_status finish(const ser_arguments *arguments, const char *spool, ser_error *error)
{
    ser_finish_options options = {
        .spool = spool,
        .trace = ser_arguments_text(arguments, "output"),
        .verify = ser_arguments_given(arguments, "verify"),
        .notes = (const char *[]){"the recorder died, and the trace was made afterwards", NULL},
    };
    ser_finish_result result = {0};
    if (ser_arguments_operand_count(arguments) > 0)
        return ser_fail(error, SER_USAGE, "--finish runs no program");
    ser_status status = ser_finish(&options, NULL, &result, error);
    if (status == SER_OK) {
        if (result.cut)
            ser_message("%s ends in the middle of a block, which is left out", spool);
        tell_trace(options.trace, &result);
        unlink(spool);
    }
    ser_vector_free(&result.messages);
    return status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    const char *spool = ser_arguments_text(arguments, "finish");
    if (strcmp(ser_arguments_text(arguments, "output"), "-") == 0)
        return ser_fail(error, SER_USAGE,
                        "standard output is the program's; name a file for the trace");
    if (spool)
        return finish(arguments, spool, error);
    ser_settings settings = {0};
    bool help = false;
    ser_status status = gather_settings(&settings, arguments, &help, error);
    if (status == SER_OK && help)
        ser_settings_help(stdout);
    else if (status == SER_OK && ser_arguments_operand_count(arguments) == 0)
        status = ser_fail(error, SER_USAGE,
                          "the program to run is missing: seriatim record -- ./program arguments");
    else if (status == SER_OK)
        status = record(arguments, ser_settings_text(&settings), error);
    ser_vector_free(&settings);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .standard = "trace.srt",
     .help = "the trace to write"},
    {.name = "mode",
     .kind = SER_OPTION_CHOICE,
     .argument = "MODE",
     .standard = "serial",
     .choices = "serial|parallel",
     .help = "serial: one thread runs at a time, and the same seed gives the same run; parallel: "
             "threads run at once, for programs that need their cores"},
    {.name = "scheduler",
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .choices = "round-robin|random|pct",
     .help = "who runs next in serial mode"},
    {.name = "seed",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .most = UINT64_MAX,
     .help = "what the random decisions of the scheduler depend on"},
    {.name = "quantum",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = UINT32_MAX,
     .help = "events until the next thread's turn"},
    {.name = "depth",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 64,
     .help = "for pct: how many ordering decisions a bug may need"},
    {.name = "length",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = UINT64_MAX,
     .help = "for pct: how many events the run is expected to have"},
    {.name = "no-calls", .help = "leave out calls of functions and returns"},
    {.name = "runtime",
     .kind = SER_OPTION_TEXT,
     .argument = "A=1:B=2",
     .help = "further settings, as in the environment variable SERIATIM_OPTIONS; help=1 lists "
             "them"},
    {.name = "limit",
     .kind = SER_OPTION_TEXT,
     .argument = "N",
     .help = "record no more than this many events (10M), bytes (2Gbytes) or seconds (30s), or "
             "several of these with commas; the program goes on. Without it: as many events as "
             "an analysis can hold in half of the memory"},
    {.name = "verify",
     .help = "compare every value read with the value written last, and say where they differ"},
    {.name = "own-status",
     .help = "exit with 0 if a trace was written, whatever the program's exit status"},
    {.name = "finish",
     .kind = SER_OPTION_TEXT,
     .argument = "FILE.part",
     .help = "make the trace of a recording that died; runs no program"},
    SER_OPTIONS_COMMON};

static const ser_example examples[] = {
    {"seriatim record -- ./bank 100", "run ./bank 100, write trace.srt"},
    {"seriatim record -o run2.srt --scheduler random --seed 2 -- ./bank", "another schedule"},
    {"seriatim record --mode parallel --limit 100M,60s -- ./server", "a long run, its beginning"},
    {"seriatim record --finish run.srt.part -o run.srt", "after the recorder was killed"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, or the trace could not be written"},
    {SER_INTERNAL, "a bug in seriatim"},
    {(ser_status)DEADLOCK_STATUS, "the program deadlocked: all its threads waited for one another"},
    {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},
    {(ser_status)SER_PROGRAM_NOT_FOUND, "the program was not found"},
    {(ser_status)128, "and more: a signal, whose number is added, ended the program"},
    {(ser_status)255, "or anything else: the program's own exit status, passed on"},
    {0, NULL},
};

const ser_command ser_command_record = {
    .name = "record",
    .summary = "run an instrumented program and write a trace of it",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, which must have been built with seriatim cc or seriatim c++ (also as "
        "CC=seriatim-cc, CXX=seriatim-c++), and writes what its threads did as a trace, for "
        "check, predict and the other commands. The program has the standard streams for itself; "
        "messages go to standard error. Signals reach it as without seriatim, and its exit status "
        "is passed on.\n"
        "\n"
        "However the program ends (exit, a crash, kill -9), what it did until then is in the "
        "trace. While it runs, records are kept in FILE.part beside the trace; if the recorder "
        "itself is killed, --finish makes the trace of that.\n"
        "\n"
        "If the disk gets full or a limit is reached, recording stops and the program goes on; a "
        "message says so, and so does seriatim info. If all threads wait for one another, "
        "record says who waits for what, and ends the program.",
    .options = options,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
