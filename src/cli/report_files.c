/* SPDX-License-Identifier: MIT */
#include "cli/report_files.h"

#include <string.h>

#include "base/output/progress.h"

bool ser_report_takes_stdout(const ser_arguments *arguments)
{
    for (size_t i = 0; ser_report_formats[i]; i++) {
        const char *path = ser_arguments_text(arguments, ser_report_formats[i]->name);
        if (path && strcmp(path, "-") == 0)
            return true;
    }
    return false;
}

void ser_report_print(const ser_report *report, const ser_arguments *arguments)
{
    ser_progress_erase();
    if (!ser_report_takes_stdout(arguments))
        ser_report_write(&ser_report_as_text, report, stdout);
}

ser_status ser_report_save_all(const ser_report *report, const ser_arguments *arguments,
                               ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && ser_report_formats[i]; i++) {
        const char *path = ser_arguments_text(arguments, ser_report_formats[i]->name);
        if (path)
            status = ser_report_save(report, ser_report_formats[i], path, error);
    }
    return status;
}

ser_status ser_report_deliver(const ser_report *report, const ser_arguments *arguments,
                              ser_error *error)
{
    ser_report_print(report, arguments);
    return ser_report_save_all(report, arguments, error);
}
