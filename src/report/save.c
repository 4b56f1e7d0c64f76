/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/output/progress.h"
#include "report/formats.h"
#include "trace/io/output.h"

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
        ser_out_of_memory(BUFSIZ);
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
