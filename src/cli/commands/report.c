/* SPDX-License-Identifier: MIT */
/*
 * seriatim report: what was found, for people and for other tools. One or several results become
 * one report.
 */
#include "cli/command.h"
#include "cli/reporting_command.h"
#include "cli/shared_options.h"
#include "cli/translate.h"
#include "report/dossier_formats.h"

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    ser_reporting work = {
        .options = {.reading = ser_reading_of(arguments),
                    .atomic = ser_arguments_given(arguments, "atomic")
                                  ? ser_arguments_text(arguments, "atomic")
                                  : NULL,
                    .effort = ser_effort_of(arguments)},
    };
    const char *output = ser_arguments_text(arguments, "output");
    work.dossier.shows_stacks = ser_arguments_given(arguments, "stacks");
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < ser_arguments_operand_count(arguments); i++) {
        const char *input = ser_arguments_operand(arguments, i);
        status = ser_source_refuse_output(input, output, error);
        if (status == SER_OK)
            status = ser_reporting_add(&work, input, error);
    }
    if (status == SER_OK)
        status = ser_report_gathered(&work, arguments, output,
                                     ser_arguments_text(arguments, "format"), error);
    ser_reporting_fini(&work);
    return status;
}

#define FORMAT_NAME(name, file, suffix, help) "|" #name
#define FORMAT_HELP(name, file, suffix, help) "; " #name " (" suffix "): " help

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR|FILE",
     .help = "a folder, into which all formats are written, or a file, whose name says the format; "
             "if not given, text to standard output"},
    {.name = "format",
     .letter = 'f',
     .kind = SER_OPTION_CHOICE,
     .argument = "NAME",
     .choices = &(SER_DOSSIER_FORMATS(FORMAT_NAME))[1],
     .help = &(SER_DOSSIER_FORMATS(FORMAT_HELP))[2]},
    {.name = "stacks", .help = "as text: also show the call stacks of the threads"},
    SER_OPTIONS_SUPPRESS,
    SER_OPTIONS_EFFORT("10"),
    SER_OPTIONS_TRACE_WITH("auto"),
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim report seriatim.out", "read on the terminal what `seriatim run` found"},
    {"seriatim report seriatim.out -o report", "all formats, into the folder report"},
    {"seriatim report seriatim.out -o bank.sarif", "for GitHub, or an editor"},
    {"seriatim report run.srt", "analyse a trace and report it"},
    {"seriatim report tests/*/seriatim.out -o report", "one report of many tests"},
    {"seriatim report seriatim.out --baseline old.sarif", "only new findings"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    SER_EXIT_FINDINGS("a result or trace"),
};

const ser_command ser_command_report = {
    .name = "report",
    .summary = "report what was found, for people and for other tools",
    .usage = "[options] FOLDER|RESULT|TRACE...",
    .description =
        "Makes a report of what `seriatim run`, `explore` or `merge` left in their output FOLDER "
        "(seriatim.out), or of a result.json alone, or of a TRACE, which is analysed first. "
        "Several of them become one report.\n"
        "\n"
        "On the terminal each finding fits on a screen: what happens in one sentence, with "
        "values; the interleaving, a column per thread and a row per step, with source lines; how "
        "certain it is; its consequence in the program; and the command that shows it again. "
        "Source "
        "files are found relative to the current folder.\n"
        "\n"
        "Values are shown where they are certain. Their types are not known: numbers that look "
        "like negative ones of 32 or 64 bits are shown as such.",
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
