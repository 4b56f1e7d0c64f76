/* SPDX-License-Identifier: MIT */
/*
 * output.h - a file that appears under its name only when it is complete.
 *
 * Bytes go to a temporary file beside the final one, and finish renames it.
 * "-" is standard output; what exists and is no regular file (a pipe, a device)
 * is written to directly. ser_output_write and ser_output_status are in
 * writer.h. Errors are sticky. Not thread-safe.
 */
#ifndef SER_TRACE_IO_OUTPUT_H
#define SER_TRACE_IO_OUTPUT_H

#include "base/status.h"
#include "trace/writer.h"

ser_status ser_output_open(ser_output **output, const char *path, ser_error *error);

/* An output that keeps its bytes in memory, for tests. */
ser_output *ser_output_open_memory(void);
const void *ser_output_bytes(ser_output *output, size_t *length);

/* Writes what is buffered and gives the file its final name. On failure the
 * temporary file is gone, and what stood under the final name is untouched. */
ser_status ser_output_finish(ser_output *output, ser_error *error);

/* Frees the output; without a successful finish the temporary file is removed. */
void ser_output_close(ser_output *output);

#endif
