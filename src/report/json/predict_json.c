/* SPDX-License-Identifier: MIT */
#include "report/predict_report.h"

static void write_events(ser_json *json, const char *key, const uint32_t *events, size_t count)
{
    ser_json_key(json, key);
    ser_json_open_array(json);
    for (size_t i = 0; i < count; i++)
        ser_json_number(json, events[i]);
    ser_json_close_array(json);
}

void ser_predict_write_witness(ser_json *json, const ser_block_result *result)
{
    ser_json_key(json, "witness");
    if (result->verdict != SER_VERDICT_VIOLATION) {
        ser_json_null(json);
        return;
    }
    const ser_witness_facts *facts = &result->facts;
    ser_json_open_object(json);
    write_events(json, "order", result->order.items, result->order.count);
    write_events(json, "path", facts->path.items, facts->path.count);
    write_events(json, "broken", facts->broken.items, facts->broken.count);
    ser_json_number_at(json, "switches", facts->switches);
    ser_json_close_object(json);
}

static void write_text_or_null(ser_json *json, const char *key, const char *text)
{
    ser_json_key(json, key);
    if (text)
        ser_json_text(json, text);
    else
        ser_json_null(json);
}

static void write_name_or_null(ser_json *json, const char *key, const ser_symbols *symbols,
                               ser_space space, uint32_t number)
{
    if (number == SER_NO_OBJECT)
        write_text_or_null(json, key, NULL);
    else
        ser_describe_name_json(json, key, symbols, space, number);
}

/* Where the block is in the program. */
static void write_place(ser_json *json, const ser_symbols *symbols, const ser_event *first)
{
    bool labelled = ser_op_begins((ser_op)first->op), called = ser_op_calls((ser_op)first->op);
    uint32_t function = called ? first->object : ser_symbols_site_function(symbols, first->site);
    ser_describe_location_json(json, "location", symbols, first->site);
    write_name_or_null(json, "function", symbols, SER_SPACE_FUNCTION, function);
    write_name_or_null(json, "label", symbols, SER_SPACE_LABEL,
                       labelled ? first->object : SER_NO_OBJECT);
}

/* Which it is. */
static void write_span(const ser_run *run, ser_json *json, const ser_run_block *block)
{
    ser_describe_name_json(json, "thread", run->symbols, SER_SPACE_THREAD, block->thread);
    ser_json_number_at(json, "begin", block->begin);
    ser_json_key(json, "end");
    if (block->end)
        ser_json_number(json, block->end);
    else
        ser_json_null(json);
}

void ser_predict_write_block(const ser_predict_report *report, ser_json *json,
                             const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = &run->blocks.items[result->block];
    write_span(run, json, block);
    ser_json_number_at(json, "segment", result->segment);
    ser_json_number_at(json, "explored", result->explored);
    ser_json_real_at(json, "seconds", result->seconds);
    write_place(json, run->symbols, &run->events[block->begin]);
}

static void write_result(const ser_predict_report *report, ser_json *json,
                         const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = &run->blocks.items[result->block];
    ser_json_open_object(json);
    write_span(run, json, block);
    ser_json_number_at(json, "events", result->events);
    ser_json_number_at(json, "segment", result->segment);
    ser_json_text_at(json, "verdict", ser_verdict_name(result->verdict));
    write_text_or_null(json, "reason", ser_reason_name(result->reason));
    write_text_or_null(json, "engine", result->engine);
    ser_json_number_at(json, "explored", result->explored);
    ser_json_number_at(json, "constraints", result->constraints);
    ser_json_real_at(json, "seconds", result->seconds);
    ser_json_text_at(json, "model", ser_model_name(result->model));
    write_place(json, run->symbols, &run->events[block->begin]);
    ser_predict_write_witness(json, result);
    ser_json_close_object(json);
}

static void write_summary(const ser_predict_summary *summary, ser_json *json)
{
    static const ser_verdict verdicts[] = {SER_VERDICT_STATIC, SER_VERDICT_NONE,
                                           SER_VERDICT_VIOLATION, SER_VERDICT_UNKNOWN};
    ser_json_key(json, "summary");
    ser_json_open_object(json);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        ser_json_number_at(json, ser_verdict_name(verdicts[i]), summary->verdicts[verdicts[i]]);
    ser_json_close_object(json);
}

void ser_predict_report_json(const ser_predict_report *report, ser_json *json)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "predict");
    ser_json_text_at(json, "criterion", report->serializability ? "serializability" : "path");
    ser_json_bool_at(json, "partial", report->partial != NULL);
    ser_describe_trace_json(json, report->path, &report->size);
    ser_json_key(json, "blocks");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->prediction->results.count; i++)
        write_result(report, json, &report->prediction->results.items[i]);
    ser_json_close_array(json);
    if (report->candidates)
        ser_predict_write_candidates(report, json);
    write_summary(&summary, json);
    ser_json_close_object(json);
}
