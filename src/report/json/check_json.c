/* SPDX-License-Identifier: MIT */
#include "base/interrupt.h"
#include "report/check_report.h"

static void write_name(const ser_check_report *report, ser_json *json, const char *key,
                       ser_space space, uint32_t number)
{
    ser_describe_name_json(json, key, report->symbols, space, number);
}

static void write_location(const ser_check_report *report, ser_json *json, const char *key,
                           uint32_t site)
{
    ser_describe_location_json(json, key, report->symbols, site);
}

static void write_step(const ser_check_report *report, ser_json *json, const ser_step *step)
{
    ser_json_open_object(json);
    ser_json_number_at(json, "from", step->from.number);
    ser_json_number_at(json, "to", step->to.number);
    ser_json_text_at(json, "by", ser_edge_name(step->by));
    write_name(report, json, "name", ser_edge_space(step->by), step->object);
    write_name(report, json, "from_thread", SER_SPACE_THREAD, step->from.event.thread);
    write_name(report, json, "to_thread", SER_SPACE_THREAD, step->to.event.thread);
    write_location(report, json, "from_location", step->from.event.site);
    write_location(report, json, "to_location", step->to.event.site);
    ser_json_close_object(json);
}

static void write_block(const ser_check_report *report, ser_json *json, const ser_finding *finding)
{
    uint64_t end = finding->block == SER_NO_BLOCK
                       ? 0
                       : ser_explainer_block(report->findings, finding->block)->end;
    ser_json_key(json, "block");
    ser_json_open_object(json);
    ser_json_number_at(json, "begin", finding->begin);
    ser_json_key(json, "end");
    if (end)
        ser_json_number(json, end);
    else
        ser_json_null(json);
    ser_json_close_object(json);
}

static void write_finding(const ser_check_report *report, ser_json *json,
                          const ser_finding *finding)
{
    ser_json_open_object(json);
    ser_json_number_at(json, "event", finding->event.number);
    write_name(report, json, "thread", SER_SPACE_THREAD, finding->thread);
    write_location(report, json, "location", finding->event.event.site);
    write_block(report, json, finding);
    ser_json_key(json, "cycle");
    ser_json_open_array(json);
    for (size_t i = 0; i < finding->steps.count; i++)
        write_step(report, json, &finding->steps.items[i]);
    ser_json_close_array(json);
    ser_json_close_object(json);
}

void ser_check_report_json(const ser_check_report *report, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "check");
    ser_json_text_at(json, "engine", report->engine);
    ser_json_text_at(json, "verdict", report->findings ? "violation" : "serializable");
    ser_json_bool_at(json, "partial", report->partial != NULL);
    ser_describe_trace_json(json, report->path, &report->size);
    ser_json_key(json, "violations");
    ser_json_open_array(json);
    size_t count = report->findings ? ser_explainer_finding_count(report->findings) : 0;
    for (size_t i = 0; i < count && !ser_should_stop_writing(); i++)
        write_finding(report, json, ser_explainer_finding(report->findings, i));
    ser_json_close_array(json);
    ser_json_close_object(json);
}
