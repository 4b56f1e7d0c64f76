/* SPDX-License-Identifier: MIT */
/*
 * seriatim explain: one finding of an earlier run once more, by its id.
 */
#include "cli/command.h"
#include "cli/dossier_files.h"
#include "cli/shared_options.h"
#include "session/reporting/lookup.h"
#include "session/reporting/reporting.h"

static ser_status explain(const char *folder, const char *id, ser_error *error)
{
    ser_reporting work = {.options.only = id};
    ser_status status = ser_reporting_add(&work, folder, error);
    if (status == SER_OK) {
        ser_reporting_finish(&work);
        ser_dossier_print(&work.dossier);
    }
    ser_reporting_fini(&work);
    return status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    const char *folder = ser_arguments_text(arguments, "folder");
    ser_lookup found;
    ser_status status = ser_lookup_find(&found, folder, ser_arguments_operand(arguments, 0), error);
    if (status == SER_OK)
        status = explain(folder, found.id, error);
    ser_lookup_fini(&found);
    return status;
}

static const ser_option options[] = {
    SER_OPTION_FOLDER,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim explain 463d135d80", "what was that?"},
    {"seriatim explain 463d -f tests/seriatim.out", "the first digits are enough"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "it was shown"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the folder has no result, or no such finding"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_explain = {
    .name = "explain",
    .summary = "show one finding of an earlier run again",
    .usage = "[options] ID",
    .description =
        "Shows the finding with that ID, which `seriatim run` and `seriatim explore` print in "
        "brackets, as `seriatim report` would: what happens, the interleaving, "
        "how certain it is, and the command that replays it.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
