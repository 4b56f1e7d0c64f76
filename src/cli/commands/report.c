/* SPDX-License-Identifier: MIT */
/*
 * seriatim report: what was found, for people and for other tools. One or several results become
 * one report.
 */
#include "cli/command.h"
#include "cli/dossier_files.h"
#include "cli/shared_options.h"
#include "cli/suppressing.h"
#include "cli/translate.h"
#include "session/reporting/reporting.h"

static ser_status verdict_of(const ser_dossier *dossier)
{
    const char *verdict = ser_dossier_verdict(dossier);
    if (strcmp(verdict, "violation") == 0)
        return SER_VIOLATION;
    return strcmp(verdict, "undecided") == 0 ? SER_UNDECIDED : SER_OK;
}

static ser_status deliver(ser_reporting *work, const ser_arguments *arguments, ser_error *error)
{
    ser_suppressions *list = NULL;
    ser_status status = ser_suppressions_of(arguments, &list, error);
    ser_reporting_finish(work);
    if (status == SER_OK && list) {
        ser_dossier_suppress(&work->dossier, list);
        ser_suppressions_warn_unused(list);
    }
    ser_suppressions_destroy(list);
    if (status == SER_OK)
        status = ser_dossier_deliver(&work->dossier, ser_arguments_text(arguments, "output"),
                                     ser_arguments_text(arguments, "format"), error);
    return status == SER_OK ? ser_write_suppressions(&work->dossier, arguments, error) : status;
}

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
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < ser_arguments_operand_count(arguments); i++) {
        const char *input = ser_arguments_operand(arguments, i);
        status = ser_source_refuse_output(input, output, error);
        if (status == SER_OK)
            status = ser_reporting_add(&work, input, error);
    }
    if (status == SER_OK)
        status = deliver(&work, arguments, error);
    if (status == SER_OK)
        status = verdict_of(&work.dossier);
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
    {"seriatim report seriatim.out --baseline old.sarif", "only what is new"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "nothing was found"},
    {SER_VIOLATION, "a violation, or a failure of the program, was reported"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "a result or trace cannot be read, or a file cannot be written"},
    {SER_UNDECIDED, "nothing was found, and something is undecided"},
    {SER_INTERNAL, "a bug in seriatim"},
    {0, NULL},
};

const ser_command ser_command_report = {
    .name = "report",
    .summary = "report what was found, for people and for other tools",
    .usage = "[options] FOLDER|RESULT|TRACE...",
    .description =
        "Makes a report of what `seriatim run` or `seriatim explore` left in their output FOLDER "
        "(seriatim.out), or of a result.json alone, or of a TRACE, which is analysed first. "
        "Several of them become one report.\n"
        "\n"
        "On the terminal each finding fits on a screen: what happens in one sentence, with "
        "values; the interleaving, a column a thread and a row a step, with lines of source; how "
        "certain it is; what it did to the program; and the command that shows it again. Source "
        "files are looked up from the current folder.\n"
        "\n"
        "Values are shown where they are certain. Their types are not known: numbers that look "
        "like negative ones of 32 or 64 bits are shown as such.",
    .options = options,
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
