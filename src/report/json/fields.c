/* SPDX-License-Identifier: MIT */
#include "report/json/fields.h"

#include "report/source_line.h"

void ser_json_text_or_null_at(ser_json *json, const char *key, const char *text)
{
    ser_json_key(json, key);
    if (text && *text)
        ser_json_text(json, text);
    else
        ser_json_null(json);
}

void ser_json_place_fields(ser_json *json, const char *location)
{
    uint32_t line = 0;
    int length = ser_split_location(location, &line);
    ser_json_key(json, "file");
    if (length)
        ser_json_bytes(json, location, (size_t)length);
    else
        ser_json_null(json);
    ser_json_key(json, "line");
    if (length)
        ser_json_number(json, line);
    else
        ser_json_null(json);
}
