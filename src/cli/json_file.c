/* SPDX-License-Identifier: MIT */
#include "cli/json_file.h"

#include <stdio.h>

#include "base/progress.h"

static void write_output(void *context, const void *bytes, size_t count)
{
    ser_output_write(context, bytes, count);
}

ser_status ser_json_file_open(ser_json_file *file, const char *path, ser_error *error)
{
    ser_progress_erase();
    fflush(stdout); /* "-" goes past stdio */
    ser_status status = ser_output_open(&file->output, path, error);
    ser_json_init(&file->json, write_output, file->output);
    return status;
}

ser_status ser_json_file_finish(ser_json_file *file, ser_error *error)
{
    ser_json_end(&file->json);
    ser_status status = ser_output_finish(file->output, error);
    ser_json_file_discard(file);
    return status;
}

void ser_json_file_discard(ser_json_file *file)
{
    ser_output_close(file->output);
    file->output = NULL;
}
