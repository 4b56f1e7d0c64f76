/* SPDX-License-Identifier: MIT */
/*
 * json_file.h - the file that --json names.
 *
 *     ser_json_file file;
 *     status = ser_json_file_open(&file, path, error);
 *     ... ser_json_...(&file.json, ...) ...
 *     status = ser_json_file_finish(&file, error);
 *
 * The file stands under its name only once it is complete; "-" is standard
 * output.
 */
#ifndef SER_CLI_JSON_FILE_H
#define SER_CLI_JSON_FILE_H

#include "base/json.h"
#include "base/status.h"
#include "trace/output.h"

typedef struct ser_json_file {
    ser_json json;
    ser_output *output;
} ser_json_file;

ser_status ser_json_file_open(ser_json_file *file, const char *path, ser_error *error);

/* Ends the document and closes the file, also on failure. */
ser_status ser_json_file_finish(ser_json_file *file, ser_error *error);

/* Instead of finish: leaves nothing behind. */
void ser_json_file_discard(ser_json_file *file);

#endif
