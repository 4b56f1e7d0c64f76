/* SPDX-License-Identifier: MIT */
/*
 * command.h - what a subcommand of seriatim is.
 *
 * To add a command: write src/cli/commands/NAME.c with a `const ser_command
 * ser_command_NAME` (validate.c is the shortest example), declare it below and
 * put it into the table of commands.c. Parsing, --help, --version, --quiet,
 * --budget, the list in `seriatim --help` and the manual page come from the
 * table of options and the texts given here.
 */
#ifndef SER_CLI_COMMAND_H
#define SER_CLI_COMMAND_H

#include "base/options/options.h"
#include "base/status.h"
#include "report/formats.h"

typedef struct ser_example {
    const char *command; /* NULL ends a list */
    const char *meaning;
} ser_example;

typedef struct ser_exit_code {
    ser_status status;
    const char *meaning; /* NULL ends a list */
} ser_exit_code;

typedef struct ser_command {
    const char *name;
    const char *summary;       /* one line, like an answer to "what does it do?" */
    const char *usage;         /* what follows the name: "[options] TRACE" */
    const char *description;   /* paragraphs; blank lines between them. A paragraph that starts
                                  with a space keeps its line breaks. At most 76 columns. */
    const ser_option *options; /* ends with SER_OPTIONS_COMMON */
    size_t least_operands, most_operands;
    const ser_example *examples; /* may be NULL */
    const ser_exit_code *exit_codes;
    /*
     * Does the work and returns the exit code. Results go to standard output.
     * A message left in error is printed by main, whatever the code.
     */
    ser_status (*run)(const ser_arguments *arguments, ser_error *error);
    /* Instead of run: for commands whose arguments are those of another program.
     * Only `--help` on its own is ours; everything else is handed over. */
    ser_status (*run_as_is)(int argc, char **argv, ser_error *error);
} ser_command;

/* The start of the description of a command that reads a trace. */
#define SER_READS_TRACE                                                                            \
    "Reads TRACE (a file, or - for standard input; text, native or RoadRunner log; plain or "      \
    "compressed with gzip or zstd) and "

/* Exit codes of every command that works on traces, and the end of the table. */
#define SER_EXIT_COMMON                                                                            \
    {SER_INTERNAL, "a bug in seriatim"},                                                           \
    {                                                                                              \
        0, NULL                                                                                    \
    }

/* The same for commands that run a program. */
#define SER_EXIT_PROGRAM                                                                           \
    {SER_INTERNAL, "a bug in seriatim"},                                                           \
        {(ser_status)SER_PROGRAM_NOT_RUN, "the program was found, but could not be run"},          \
    {                                                                                              \
        (ser_status) SER_PROGRAM_NOT_FOUND, "the program was not found"                            \
    }

/* The same for commands that report findings of earlier runs; `unreadable` says what could not be
 * read. */
#define SER_EXIT_FINDINGS(unreadable)                                                              \
    {SER_OK, "nothing was found"},                                                                 \
        {SER_VIOLATION, "a violation, or a failure of the program, was reported"},                 \
        {SER_USAGE, "wrong usage"},                                                                \
        {SER_INPUT, unreadable " cannot be read, or a file cannot be written"},                    \
        {SER_UNDECIDED, "nothing was found, and something is undecided"}, SER_EXIT_COMMON

/* The rest of a ser_command, in every file of a command under these names. */
#define SER_COMMAND_PARTS                                                                          \
    .options = options, .examples = examples, .exit_codes = exit_codes, .run = run

/* Options of every command, and the end of the table. */
#define SER_OPTIONS_COMMON                                                                         \
    {.name = "budget",                                                                             \
     .kind = SER_OPTION_SECONDS,                                                                   \
     .argument = "SECONDS",                                                                        \
     .help = "stop after this time and report the results so far"},                                \
        {.name = "quiet",                                                                          \
         .letter = 'q',                                                                            \
         .help = "no progress, no warnings: only results and errors"},                             \
        {.name = "help", .letter = 'h', .help = "print this text"},                                \
        {.name = "version", .letter = 'V', .help = "print the version of seriatim"},               \
    {                                                                                              \
        .name = NULL                                                                               \
    }

#define SER_HELP_ATOMIC(markers)                                                                   \
    "what is atomic: markers (" markers "), locks (spans in which a thread holds a lock), "        \
    "functions (calls that touch shared data twice or more), rounds (of loops of threads' first "  \
    "functions), updates (such as n++), auto (markers where there are any, else all of these), "   \
    "or a file of function names"

/* Options of every command that reads a trace (translate.h acts on them), and the default of
 * --atomic. */
#define SER_OPTIONS_TRACE_WITH(standard_atomic)                                                    \
    {.name = "atomic",                                                                             \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "MODE|FILE",                                                                      \
     .standard = standard_atomic,                                                                  \
     .help = SER_HELP_ATOMIC("begin and end events")},                                             \
    {                                                                                              \
        .name = "lenient",                                                                         \
        .help = "drop events that break a rule of well-formed traces, and count them, instead "    \
                "of refusing the trace"                                                            \
    }
#define SER_OPTIONS_TRACE SER_OPTIONS_TRACE_WITH("markers")

/* For options whose choices are in a table of X(name, help): "|one|two" and "; one: ...; two: ...".
 * Callers skip the first separator if nothing comes before it. */
#define SER_CHOICE_NAME(name, help) "|" #name
#define SER_CHOICE_HELP(name, help) "; " #name ": " help

/* The options of a command that reports (report_files.h acts on them), one per format; each ends
 * with its comma. */
#define SER_REPORT_OPTION(format, words)                                                           \
    {.name = #format,                                                                              \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "FILE",                                                                           \
     .help = "write the result as " words " as well; with - for FILE, to standard output and "     \
             "instead of the text"},
#define SER_OPTIONS_REPORT SER_REPORT_FORMATS(SER_REPORT_OPTION)

extern const ser_command ser_command_run;
extern const ser_command ser_command_record;
extern const ser_command ser_command_check;
extern const ser_command ser_command_predict;
extern const ser_command ser_command_replay;
extern const ser_command ser_command_explore;
extern const ser_command ser_command_watch;
extern const ser_command ser_command_explain;
extern const ser_command ser_command_report;
extern const ser_command ser_command_merge;
extern const ser_command ser_command_info;
extern const ser_command ser_command_validate;
extern const ser_command ser_command_convert;
extern const ser_command ser_command_cc;
extern const ser_command ser_command_cxx;
extern const ser_command ser_command_debug; /* not listed */

/* All commands in the order of the help; NULL-terminated (commands.c). */
extern const ser_command *const ser_commands[];

/* The command with that name, also one that is not listed, or NULL. */
const ser_command *ser_command_by_name(const char *name);

#endif
