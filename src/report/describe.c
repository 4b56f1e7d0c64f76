/* SPDX-License-Identifier: MIT */
#include "report/describe.h"

#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"

void ser_describe_count(FILE *file, uint64_t count, const char *noun)
{
    ser_print(file, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

void ser_describe_trace(FILE *file, const char *path, const ser_trace_size *size)
{
    ser_print(file, "%s: ", strcmp(path, "-") == 0 ? "standard input" : path);
    ser_describe_count(file, size->events, "event");
    fputs(", ", file);
    ser_describe_count(file, size->threads, "thread");
    fputs(", ", file);
    ser_describe_count(file, size->locks, "lock");
    fputs(", ", file);
    ser_describe_count(file, size->variables, "variable");
    fputs(", ", file);
    ser_describe_count(file, size->blocks, "block");
    fputc('\n', file);
}

void ser_describe_recorded(FILE *file, const char *path, const ser_trace_size *size,
                           const char *refused)
{
    if (!refused || size->events)
        ser_describe_trace(file, path, size);
    if (refused)
        ser_print(file,
                  size->events ? "  the analysis was given up: %s\n"
                               : "the trace was refused: %s\n",
                  refused);
}

void ser_describe_replay(FILE *file, const char *path, const char *atomic)
{
    ser_print(file, "to replay: seriatim replay ");
    ser_print_word(file, path);
    if (atomic) {
        ser_print(file, " --atomic ");
        ser_print_word(file, atomic);
    }
}

void ser_describe_operation(const ser_symbols *symbols, const ser_event *event, char *text,
                            size_t size)
{
    ser_op op = (ser_op)event->op;
    if (event->object == SER_NO_OBJECT)
        snprintf(text, size, "%s", ser_op_name(op));
    else
        snprintf(text, size, "%s(%s)", ser_op_name(op),
                 ser_symbols_shown_name(symbols, ser_op_space(op), event->object));
}

void ser_describe_trace_fields_json(ser_json *json, const char *path, const ser_trace_size *size)
{
    ser_json_text_at(json, "path", path);
    ser_json_number_at(json, "events", size->events);
    ser_json_number_at(json, "threads", size->threads);
    ser_json_number_at(json, "locks", size->locks);
    ser_json_number_at(json, "variables", size->variables);
    ser_json_number_at(json, "blocks", size->blocks);
}

void ser_describe_trace_json(ser_json *json, const char *path, const ser_trace_size *size)
{
    ser_json_key(json, "trace");
    ser_json_open_object(json);
    ser_describe_trace_fields_json(json, path, size);
    ser_json_close_object(json);
}

void ser_describe_name_json(ser_json *json, const char *key, const ser_symbols *symbols,
                            ser_space space, uint32_t number)
{
    ser_json_key(json, key);
    ser_json_bytes(json, ser_symbols_name(symbols, space, number),
                   ser_symbols_name_length(symbols, space, number));
}

void ser_describe_location_json(ser_json *json, const char *key, const ser_symbols *symbols,
                                uint32_t site)
{
    ser_json_key(json, key);
    if (site == SER_NO_SITE)
        ser_json_null(json);
    else
        ser_json_bytes(json, ser_symbols_location(symbols, site),
                       ser_symbols_location_length(symbols, site));
}
