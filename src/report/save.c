/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/output/progress.h"
#include "report/dossier_formats.h"
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

/* Opens `path` for a writer; *output is to be given to finish_file. */
static ser_status start_file(const char *path, ser_output **output, FILE **file, ser_error *error)
{
    ser_progress_erase();
    fflush(stdout); /* "-" goes past stdio */
    ser_status status = ser_output_open(output, path, error);
    if (status == SER_OK)
        *file = open_stream(*output);
    return status;
}

static ser_status finish_file(ser_output *output, FILE *file, ser_error *error)
{
    fclose(file);
    ser_status status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

ser_status ser_report_save(const ser_report *report, const ser_report_format *format,
                           const char *path, ser_error *error)
{
    ser_output *output;
    FILE *file;
    ser_status status = start_file(path, &output, &file, error);
    if (status != SER_OK)
        return status;
    ser_report_write(format, report, file);
    return finish_file(output, file, error);
}

ser_status ser_dossier_save(const ser_dossier *dossier, const ser_dossier_format *format,
                            const char *path, ser_error *error)
{
    const ser_dossier_style style = {0};
    ser_output *output;
    FILE *file;
    ser_status status = start_file(path, &output, &file, error);
    if (status != SER_OK)
        return status;
    format->write(dossier, &style, file);
    ser_dossier_warn_if_cut(dossier);
    return finish_file(output, file, error);
}

ser_status ser_dossier_save_all(const ser_dossier *dossier, const char *folder, ser_error *error)
{
    char path[4096];
    ser_status status = SER_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ser_fail(error, SER_INPUT, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; status == SER_OK && ser_dossier_formats[i]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, ser_dossier_formats[i]->file);
        status = ser_dossier_save(dossier, ser_dossier_formats[i], path, error);
    }
    return status;
}
