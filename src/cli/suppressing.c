/* SPDX-License-Identifier: MIT */
#include "cli/suppressing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

ser_status ser_suppressions_of(const ser_arguments *arguments, ser_suppressions **list,
                               ser_error *error)
{
    const char *suppress = ser_arguments_text(arguments, "suppress");
    const char *baseline = ser_arguments_text(arguments, "baseline");
    ser_status status = SER_OK;
    *list = suppress || baseline ? ser_suppressions_create() : NULL;
    if (suppress)
        status = ser_suppressions_read(*list, suppress, error);
    if (status == SER_OK && baseline)
        status = ser_suppressions_read_baseline(*list, baseline, error);
    return status;
}

ser_status ser_write_suppressions(const ser_dossier *dossier, const ser_arguments *arguments,
                                  ser_error *error)
{
    const char *path = ser_arguments_text(arguments, "gen-suppressions");
    if (!path)
        return SER_OK;
    bool to_terminal = strcmp(path, "-") == 0;
    FILE *file = to_terminal ? stdout : fopen(path, "w");
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno));
    ser_dossier_print_suppressions(dossier, file);
    bool failed = ferror(file) != 0;
    if (!to_terminal)
        failed |= fclose(file) != 0;
    return failed ? ser_fail(error, SER_INPUT, "%s: it cannot be written", path) : SER_OK;
}
