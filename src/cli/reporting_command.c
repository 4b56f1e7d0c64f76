/* SPDX-License-Identifier: MIT */
#include "cli/reporting_command.h"

#include "cli/dossier_files.h"
#include "cli/suppressing.h"

static ser_status verdict_of(const ser_dossier *dossier)
{
    const char *verdict = ser_dossier_verdict(dossier);
    if (strcmp(verdict, "violation") == 0)
        return SER_VIOLATION;
    return strcmp(verdict, "undecided") == 0 ? SER_UNDECIDED : SER_OK;
}

ser_status ser_report_gathered(ser_reporting *work, const ser_arguments *arguments,
                               const char *path, const char *format, ser_error *error)
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
        status = ser_dossier_deliver(&work->dossier, path, format, error);
    if (status == SER_OK)
        status = ser_write_suppressions(&work->dossier, arguments, error);
    return status == SER_OK ? verdict_of(&work->dossier) : status;
}
