/* SPDX-License-Identifier: MIT */
/*
 * seriatim merge: the results of many runs, of a test suite or of many machines, as one folder and
 * one report.
 */
#include "cli/command.h"
#include "cli/reporting_command.h"
#include "cli/shared_options.h"
#include "session/reporting/merging.h"

static ser_status merge_operands(const ser_arguments *arguments, const char *folder,
                                 ser_error *error)
{
    size_t count = ser_arguments_operand_count(arguments);
    const char **inputs = ser_alloc(count, sizeof *inputs);
    for (size_t i = 0; i < count; i++)
        inputs[i] = ser_arguments_operand(arguments, i);
    ser_status status = ser_merge_results(folder, inputs, count, error);
    free(inputs);
    return status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    const char *folder = ser_arguments_text(arguments, "output");
    ser_reporting work = {0};
    ser_status status = merge_operands(arguments, folder, error);
    if (status == SER_OK)
        status = ser_reporting_add(&work, folder, error);
    if (status == SER_OK)
        status = ser_report_gathered(&work, arguments, ser_arguments_text(arguments, "report"),
                                     NULL, error);
    ser_reporting_fini(&work);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .standard = "seriatim.merged",
     .help = "folder of the merged result; what it holds already stays, and results that come "
             "again replace those of before"},
    {.name = "report",
     .kind = SER_OPTION_TEXT,
     .argument = "DIR|FILE",
     .help = "write the report of the whole folder there, as `seriatim report -o` does, instead "
             "of to standard output"},
    SER_OPTIONS_SUPPRESS,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim merge build/seriatim/* --report report",
     "one report of all tests that ran under seriatim"},
    {"seriatim merge -o all shard-*/seriatim.out", "the parts of a job that many machines ran"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "nothing was found"},
    {SER_VIOLATION, "a violation, or a failure of a program, was reported"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "a result cannot be read, or a file cannot be written"},
    {SER_UNDECIDED, "nothing was found, and something is undecided"},
    {SER_INTERNAL, "a bug in seriatim"},
    {0, NULL},
};

const ser_command ser_command_merge = {
    .name = "merge",
    .summary = "merge the results of many runs into one",
    .usage = "[options] FOLDER|RESULT...",
    .description =
        "Makes one folder of the output folders of many `seriatim run` and `seriatim explore`: of "
        "the tests of a suite, or of the parts of a job on many machines. It holds a copy of each "
        "result, with the traces and schedules of its findings, so that the originals may go; "
        "`seriatim report` takes it like the folder of one run. Then what was found is reported: "
        "the same bug in several results is one finding.\n"
        "\n"
        "A result is known by where it came from. Merging into a folder that is there adds to it, "
        "and replaces results that come again; a merge that was interrupted can be repeated.",
    .options = options,
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    .examples = examples,
    .exit_codes = exit_codes,
    .run = run,
};
