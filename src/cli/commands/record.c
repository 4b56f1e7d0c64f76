/* SPDX-License-Identifier: MIT */
/*
 * seriatim record: runs an instrumented program and writes a trace of it. The
 * exit status is the program's, so that record can stand before any command.
 */
#include <string.h>
#include <unistd.h>

#include "base/output/log.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/translate.h"

enum { DEADLOCK_STATUS = 6 };

static ser_status record(const ser_arguments *arguments, ser_error *error)
{
    ser_recording recording;
    bool help = false;
    ser_status status = ser_recording_of(&recording, arguments, 0, NULL, &help, error);
    if (status == SER_OK && !help) {
        recording.options.shared = ser_arguments_given(arguments, "shared");
        recording.options.redact = ser_arguments_given(arguments, "redact");
        if (recording.options.redact)
            ser_settings_add(&recording.settings, "inputs", "0");
        status = ser_recording_run(&recording, ser_arguments_text(arguments, "output"), error);
        if (status == SER_OK && recording.outcome.deadlock)
            status = (ser_status)DEADLOCK_STATUS;
        else if ((status == SER_OK || status == SER_UNDECIDED) &&
                 !ser_arguments_given(arguments, "own-status"))
            status = (ser_status)recording.outcome.status;
    }
    ser_recording_fini(&recording);
    return status;
}

static ser_status finish(const ser_arguments *arguments, const char *spool, ser_error *error)
{
    ser_finish_options options = {
        .spool = spool,
        .trace = ser_arguments_text(arguments, "output"),
        .verify = ser_arguments_given(arguments, "verify"),
        .shared = ser_arguments_given(arguments, "shared"),
        .redact = ser_arguments_given(arguments, "redact"),
        .notes = (const char *[]){"the recorder died, and the trace was made afterwards", NULL},
    };
    ser_finish_result result = {0};
    if (ser_arguments_operand_count(arguments) > 0)
        return ser_fail(error, SER_USAGE, "--finish runs no program");
    ser_status status = ser_finish(&options, NULL, &result, error);
    if (status == SER_OK) {
        if (result.cut)
            ser_message("%s ends in the middle of a block, which is dropped", spool);
        ser_recording_tell_trace(options.trace, &result);
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
    return spool ? finish(arguments, spool, error) : record(arguments, error);
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .standard = "trace.srt",
     .help = "the trace to write"},
    SER_OPTIONS_RECORDING(""),
    {.name = "shared",
     .help = "drop from the trace what only one thread accessed, and calls in which nothing "
             "else happened: large programs become small traces, with the same verdicts"},
    SER_OPTION_REDACT,
    {.name = "own-status",
     .help = "exit with 0 if a trace was written, whatever the program's exit status"},
    {.name = "finish",
     .kind = SER_OPTION_TEXT,
     .argument = "FILE.part",
     .help = "make the trace of a recording whose recorder was killed; runs no program"},
    SER_OPTIONS_COMMON};

static const ser_example examples[] = {
    {"seriatim record -- ./bank 100", "run ./bank 100, write trace.srt"},
    {"seriatim record -o run2.srt --scheduler random --seed 2 -- ./bank", "another schedule"},
    {"seriatim record --mode parallel --limit 100M,60s -- ./server", "a long run, its beginning"},
    {"seriatim record --finish run.srt.part -o run.srt", "after the recorder was killed"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "or another number that is not below: the program's own exit status, passed on"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, or the trace could not be written"},
    {SER_UNDECIDED,
     "with --own-status: the program was interrupted, or the budget used up, before it recorded "
     "anything"},
    {SER_INTERNAL, "a bug in seriatim"},
    {(ser_status)DEADLOCK_STATUS, "the program deadlocked: all its threads waited for one another"},
    {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},
    {(ser_status)SER_PROGRAM_NOT_FOUND, "the program was not found"},
    {(ser_status)128, "and more: a signal, whose number is added, ended the program"},
    {0, NULL},
};

const ser_command ser_command_record = {
    .name = "record",
    .summary = "run an instrumented program and write a trace of it",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .description =
        "Runs PROGRAM, which must have been built with seriatim cc or seriatim c++ (also as "
        "CC=seriatim-cc, CXX=seriatim-c++) or be a java command, and writes what its threads did "
        "as a trace, for "
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
        "record says which thread waits for what, and ends the program.",
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
