/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/json/fields.h"
#include "report/run_report.h"

static void write_waits(const ser_failure *failure, ser_json *json)
{
    ser_json_key(json, "waits");
    ser_json_open_array(json);
    for (const char *line = failure->waits; *line;) {
        size_t length = strcspn(line, "\n");
        ser_json_bytes(json, line, length);
        line += length + (line[length] == '\n');
    }
    ser_json_close_array(json);
}

static void write_failure(const ser_run_report *report, const ser_failure *failure, ser_json *json)
{
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    ser_json_open_object(json);
    ser_json_text_at(json, "id", failure->id);
    ser_json_text_at(json, "kind", "deadlock");
    ser_json_text_at(json, "status", failure->schedule ? "confirmed" : "observed");
    ser_json_place_fields(json, failure->location);
    ser_json_text_or_null_at(json, "schedule", failure->schedule);
    ser_json_number_at(json, "seed", trace->seed);
    ser_json_text_or_null_at(json, "scheduler", trace->scheduler);
    ser_json_text_at(json, "trace", trace->path);
    ser_json_number_at(json, "runs", failure->runs);
    write_waits(failure, json);
    ser_json_close_object(json);
}

void ser_run_failures_json(const ser_run_report *report, ser_json *json)
{
    ser_json_key(json, "failures");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->failures.count; i++)
        write_failure(report, &report->failures.items[i], json);
    ser_json_close_array(json);
}
