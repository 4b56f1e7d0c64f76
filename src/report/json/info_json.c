/* SPDX-License-Identifier: MIT */
#include "report/info.h"

static void write_trace(ser_json *json, const ser_info *info)
{
    const ser_counts *counts = &info->counts;
    ser_json_key(json, "trace");
    ser_json_open_object(json);
    ser_json_text_at(json, "path", info->path);
    ser_json_number_at(json, "events", counts->events);
    ser_json_number_at(json, "threads", counts->threads);
    ser_json_number_at(json, "locks", counts->locks);
    ser_json_number_at(json, "variables", counts->variables);
    ser_json_number_at(json, "blocks", counts->blocks);
    ser_json_close_object(json);
}

static void write_operations(ser_json *json, const ser_counts *counts)
{
    ser_json_key(json, "operations");
    ser_json_open_object(json);
    for (int op = 0; op < SER_OP_COUNT; op++)
        if (counts->operations[op])
            ser_json_number_at(json, ser_op_name((ser_op)op), counts->operations[op]);
    ser_json_close_object(json);
}

static void write_counts(ser_json *json, const ser_info *info)
{
    const ser_counts *counts = &info->counts;
    ser_json_key(json, "counts");
    ser_json_open_object(json);
    ser_json_number_at(json, "lock_events", counts->lock_events);
    ser_json_number_at(json, "access_events", counts->accesses);
    ser_json_number_at(json, "wait_notify_events", counts->waits_and_notifies);
    ser_json_number_at(json, "conditions", counts->objects[SER_SPACE_CONDITION]);
    ser_json_number_at(json, "barriers", counts->objects[SER_SPACE_BARRIER]);
    ser_json_number_at(json, "semaphores", counts->objects[SER_SPACE_SEMAPHORE]);
    ser_json_number_at(json, "functions", counts->objects[SER_SPACE_FUNCTION]);
    ser_json_number_at(json, "open_blocks", counts->open_blocks);
    ser_json_number_at(json, "longest_block", counts->longest_block);
    ser_json_number_at(json, "nesting_depth", counts->deepest_begin);
    ser_json_number_at(json, "left_out", counts->elided);
    ser_json_number_at(json, "dropped", info->dropped);
    write_operations(json, counts);
    ser_json_close_object(json);
}

static void write_notes(ser_json *json, const ser_symbols *symbols)
{
    ser_json_key(json, "notes");
    ser_json_open_array(json);
    for (uint32_t i = 0; i < ser_symbols_note_count(symbols); i++)
        ser_json_bytes(json, ser_symbols_note(symbols, i), ser_symbols_note_length(symbols, i));
    ser_json_close_array(json);
}

void ser_info_json(const ser_info *info, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "info");
    ser_json_text_at(json, "format", info->format);
    ser_json_text_at(json, "atomic", info->atomic);
    ser_json_bool_at(json, "partial", info->partial);
    write_trace(json, info);
    write_counts(json, info);
    write_notes(json, info->symbols);
    ser_json_close_object(json);
}
