/* SPDX-License-Identifier: MIT */
/*
 * seriatim watch: records a program, and predicts from what it does while it runs.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/translate.h"
#include "session/effort.h"
#include "session/folder.h"
#include "session/watch/watching.h"

/* "1G", as limits are read. */
static ser_status read_keep(const ser_arguments *arguments, uint64_t *bytes, ser_error *error)
{
    const char *text = ser_arguments_text(arguments, "keep");
    char words[64];
    ser_limit limit = {0};
    snprintf(words, sizeof words, "%.40sbytes", text);
    if (strlen(text) > 40 || ser_limit_read(&limit, words, error) != SER_OK)
        return ser_fail(error, SER_USAGE, "--keep %s: a number of bytes, such as 1G or 500M", text);
    *bytes = limit.bytes;
    return SER_OK;
}

static ser_predict_options prediction_of(const ser_arguments *arguments)
{
    const ser_effort effort = {.timeout = ser_arguments_seconds(arguments, "timeout"), .jobs = 1};
    ser_predict_options options = ser_effort_options(&effort);
    options.model = SER_MODEL_AVP;
    options.staged = false;
    return options;
}

static ser_status watch(ser_recording *recording, const ser_arguments *arguments, ser_error *error)
{
    ser_watching watching = {
        .recording = recording,
        .folder = ser_arguments_text(arguments, "output"),
        .reading = ser_reading_of(arguments),
        .window = (uint32_t)ser_arguments_number(arguments, "window"),
        .every = ser_arguments_seconds(arguments, "every"),
        .detached = ser_arguments_given(arguments, "detached"),
        .predict = prediction_of(arguments),
    };
    ser_status status = read_keep(arguments, &watching.keep, error);
    if (status == SER_OK)
        status = ser_make_folder(watching.folder, error);
    /* Counts of what was elided refer to the beginning of the run, and inputs are for replays. */
    ser_settings_add(&recording->settings, "exact", "all");
    ser_settings_add(&recording->settings, "inputs", "0");
    return status == SER_OK ? ser_watch(&watching, error) : status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    const char *command = ser_arguments_text(arguments, "tell");
    ser_recording recording;
    bool help = false;
    if (command && ser_arguments_operand_count(arguments) > 0)
        return ser_fail(error, SER_USAGE, "--tell takes no program: it is for one that is watched");
    if (command)
        return ser_watch_tell(ser_arguments_text(arguments, "output"), command, error);
    ser_status status = ser_recording_of(&recording, arguments, 0, NULL, &help, error);
    if (status == SER_OK && !help)
        status = watch(&recording, arguments, error);
    ser_recording_fini(&recording);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .standard = "seriatim.watch",
     .help = "folder for the traces of what the program did last, and of what was found"},
    {.name = "keep",
     .kind = SER_OPTION_TEXT,
     .argument = "BYTES",
     .standard = "1G",
     .help = "how much of what the program did last stays on the disk; traces in which something "
             "was found stay besides"},
    {.name = "every",
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "2",
     .help = "how long a segment is; what is found in it is reported after it"},
    {.name = "window",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "1024",
     .least = 2,
     .most = 1 << 20,
     .help = "decide each block by the N events around it, and a few more"},
    {.name = "timeout",
     .letter = 't',
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "1",
     .help = "give up on a block after this time"},
    {.name = "detached",
     .kind = SER_OPTION_FLAG,
     .help = "begin without recording accesses, until `seriatim watch --tell attach`"},
    {.name = "tell",
     .kind = SER_OPTION_CHOICE,
     .argument = "COMMAND",
     .choices = SER_WATCH_COMMANDS,
     .help = "to the watcher that writes to DIR. detach: the program goes on, its accesses are not "
             "recorded; attach: they are again; leave: the program goes on, the watcher ends; "
             "status: what has been found so far"},
    SER_OPTIONS_TRACE,
    SER_OPTIONS_RUNNING(""),
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim watch -- ./server", "until it ends, or Ctrl-C"},
    {"seriatim watch --atomic handlers.txt --keep 5G --mode parallel -- ./server",
     "functions that are named in a file are atomic; threads run at once"},
    {"seriatim watch --tell detach", "the watched program goes on, and is not analysed"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "no violation within the windows"},
    {SER_VIOLATION, "a block can be violated"},
    {SER_UNDECIDED, "nothing was looked at: the program was detached all the time"},
    {SER_USAGE, "wrong usage; no program was run"},
    {SER_INPUT, "the program is not instrumented, a file cannot be written, or --tell found no "
                "watcher"},
    SER_EXIT_PROGRAM,
    {0, NULL},
};

const ser_command ser_command_watch = {
    .name = "watch",
    .summary = "record a program that never ends, and report while it runs",
    .usage = "[options] -- PROGRAM [ARGUMENTS] | --tell COMMAND [-o DIR]",
    .description =
        "Runs PROGRAM, built as for `seriatim record`, and decides for the atomic blocks that it "
        "executes whether another interleaving could violate them, as `seriatim predict --window` "
        "does. Violations are printed when they are found, each place of the code once. Neither "
        "memory nor disk grow with the time that the program runs.\n"
        "\n"
        "What the program does is cut into segments of a few seconds, each a trace in DIR that "
        "`seriatim predict --window`, `info` and `convert` read. A segment begins with what was "
        "true before it, such as locks that are held, up to its first skip event. If analysis "
        "falls behind, the program waits for it.\n"
        "\n"
        "Accesses are not elided. The program must be started by seriatim, but need not be "
        "analysed all the time: `seriatim watch --tell detach` (attach, leave, status) speaks to "
        "the watcher by the socket DIR/control. While it is detached the program still records "
        "its synchronisation, so that it can be attached at any time.",
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
