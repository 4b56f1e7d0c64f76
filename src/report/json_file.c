/* SPDX-License-Identifier: MIT */
#include "report/json_file.h"

static void write_bytes(void *context, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, context);
}

ser_json ser_json_to_file(FILE *file)
{
    ser_json json;
    ser_json_init(&json, write_bytes, file);
    return json;
}
