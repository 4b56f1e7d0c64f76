/* SPDX-License-Identifier: MIT */
#include "cli/report_files.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "trace/output.h"

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

/* Errors stay with the output, until it is finished. */
static ssize_t write_output(void *output, const char *bytes, size_t count)
{
    ser_output_write(output, bytes, count);
    return (ssize_t)count;
}

static FILE *open_stream(ser_output *output)
{
    FILE *file = fopencookie(output, "w", (cookie_io_functions_t){.write = write_output});
    if (!file)
        ser_out_of_memory(sizeof *file);
    return file;
}

ser_status ser_report_save(const ser_report *report, const ser_report_format *format,
                           const char *path, ser_error *error)
{
    ser_output *output;
    ser_progress_erase();
    fflush(stdout); /* "-" goes past stdio */
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    FILE *file = open_stream(output);
    ser_report_write(format, report, file);
    fclose(file);
    status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
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
