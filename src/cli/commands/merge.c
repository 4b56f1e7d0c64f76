/* SPDX-License-Identifier: MIT */
/*
 * seriatim merge: the results of many runs, of a test suite or of many machines, as one folder and
 * one report; and the shards of a prediction as one result.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/reporting_command.h"
#include "cli/shared_options.h"
#include "session/reporting/merging.h"
#include "session/reporting/shards.h"

/* --- parts of a prediction ---------------------------------------------------------- */

static ser_status refuse_options(const ser_arguments *arguments, ser_error *error)
{
    static const char *const of_runs[] = {"output", "report", NULL};
    const char *given = ser_arguments_any_given(arguments, of_runs);
    return given ? ser_fail(error, SER_USAGE,
                            "--%s is for results of runs; parts of a prediction become one with "
                            "--json FILE",
                            given)
                 : SER_OK;
}

static ser_status merge_shards(const ser_arguments *arguments, const char *const *inputs,
                               size_t count, ser_error *error)
{
    const char *path = ser_arguments_text(arguments, "json");
    ser_shards shards = {0};
    ser_status status = refuse_options(arguments, error);
    if (status == SER_OK)
        status = ser_shards_gather(&shards, inputs, count, error);
    if (status == SER_OK && path)
        status = ser_shards_save(&shards, path, error);
    if (status == SER_OK && (!path || strcmp(path, "-") != 0))
        ser_shards_print(&shards, stdout);
    if (status == SER_OK)
        status = ser_shards_verdict(&shards);
    ser_shards_fini(&shards);
    return status;
}

/* --- results of runs ------------------------------------------------------------------ */

static ser_status merge_runs(const ser_arguments *arguments, const char *const *inputs,
                             size_t count, ser_error *error)
{
    const char *folder = ser_arguments_text(arguments, "output");
    ser_reporting work = {0};
    if (ser_arguments_given(arguments, "json"))
        return ser_fail(error, SER_USAGE, "--json is for the parts of a prediction (--shard)");
    ser_status status = ser_merge_results(folder, inputs, count, error);
    if (status == SER_OK)
        status = ser_reporting_add(&work, folder, error);
    if (status == SER_OK)
        status = ser_report_gathered(&work, arguments, ser_arguments_text(arguments, "report"),
                                     NULL, error);
    ser_reporting_fini(&work);
    return status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    size_t count = ser_arguments_operand_count(arguments);
    const char **inputs = ser_alloc(count, sizeof *inputs);
    for (size_t i = 0; i < count; i++)
        inputs[i] = ser_arguments_operand(arguments, i);
    ser_status status = ser_shards_is_part(inputs[0])
                            ? merge_shards(arguments, inputs, count, error)
                            : merge_runs(arguments, inputs, count, error);
    free(inputs);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .standard = "seriatim.merged",
     .help = "folder of the merged result; its earlier results stay, but those that are "
             "merged again are replaced"},
    {.name = "report",
     .kind = SER_OPTION_TEXT,
     .argument = "DIR|FILE",
     .help = "write the report of the whole folder there, as `seriatim report -o` does, instead "
             "of to standard output"},
    {.name = "json",
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .help =
         "parts of a prediction: write the whole there, as `seriatim predict --json` does; - is "
         "standard output"},
    SER_OPTIONS_SUPPRESS,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim merge build/seriatim/* --report report",
     "one report of all tests that ran under seriatim"},
    {"seriatim merge -o all shard-*/seriatim.out", "the parts of a job that many machines ran"},
    {"seriatim merge --json whole.json part-*.json",
     "the shards of a prediction, as one process would have written it"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    SER_EXIT_FINDINGS("a result"),
};

const ser_command ser_command_merge = {
    .name = "merge",
    .summary = "merge the results of many runs into one",
    .usage = "[options] FOLDER|RESULT...",
    .description =
        "Merges the output folders of many `seriatim run` and `seriatim explore` into one folder: "
        "those of the tests of a suite, or of the parts of a job on many machines. It holds a "
        "copy of each result, with the traces and schedules of its findings, so that the originals "
        "can be deleted; `seriatim report` reads it like the folder of one run. Then the findings "
        "are reported: the same bug in several results is one finding.\n"
        "\n"
        "A result is identified by the folder it came from. Merging into an existing folder adds "
        "to "
        "it, and replaces results that are merged again; a merge that was interrupted can be "
        "repeated.\n"
        "\n"
        "Files that `seriatim predict --shard K/N --json FILE` wrote become the one result of the "
        "whole prediction. A shard that is missing is named, and the result is partial; one that "
        "is there twice counts once.",
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    SER_COMMAND_PARTS,
};
