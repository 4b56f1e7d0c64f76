/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/command.h"

const ser_command *const ser_commands[] = {
    &ser_command_run,     &ser_command_record,  &ser_command_check, &ser_command_predict,
    &ser_command_replay,  &ser_command_explore, &ser_command_watch, &ser_command_explain,
    &ser_command_report,  &ser_command_merge,   &ser_command_info,  &ser_command_validate,
    &ser_command_convert, &ser_command_cc,      &ser_command_cxx,   NULL,
};

/* For developers: found by its name, but not listed. */
static const ser_command *const hidden = &ser_command_debug;

const ser_command *ser_command_by_name(const char *name)
{
    for (size_t i = 0; ser_commands[i]; i++)
        if (strcmp(ser_commands[i]->name, name) == 0)
            return ser_commands[i];
    return strcmp(hidden->name, name) == 0 ? hidden : NULL;
}
