/* SPDX-License-Identifier: MIT */
#include "base/interrupt.h"
#include "report/predict_report.h"

static void write_events(ser_json *json, const char *key, const ser_run *run,
                         const uint32_t *events, size_t count)
{
    ser_json_key(json, key);
    ser_json_open_array(json);
    for (size_t i = 0; i < count; i++)
        ser_json_number(json, ser_run_number(run, events[i]));
    ser_json_close_array(json);
}

/* A witness that begins near its block, after so many events at most, is completed: readers of
 * orders that begin with the first event need not know of others. */
enum { MOST_COMPLETED = 1 << 16 };

/* Where the time for writing is over: the block is listed, but its order is not made longer, and is
 * left out if it is long. */
enum { BRIEF_ORDER = 1 << 10 };

static bool is_completed(const ser_predict_report *report, const ser_block_result *result)
{
    return !report->is_brief && result->start && result->start <= MOST_COMPLETED;
}

static bool is_left_out(const ser_predict_report *report, const ser_block_result *result)
{
    return result->verdict != SER_VERDICT_VIOLATION ||
           (report->is_brief && result->order.count > BRIEF_ORDER);
}

/* With the steps that the run does not have. */
static void write_order(ser_json *json, const ser_predict_report *report,
                        const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    ser_number_list whole = {0};
    ser_numbering_expand(run, &result->order, &whole);
    ser_json_key(json, "order");
    ser_json_open_array(json);
    for (uint32_t i = 1; is_completed(report, result) && i < result->start; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op))
            ser_json_number(json, ser_run_number(run, i));
    for (size_t i = 0; i < whole.count; i++)
        ser_json_number(json, whole.items[i]);
    ser_json_close_array(json);
    ser_vector_free(&whole);
}

/* Before the order of a window, everything before it happens as observed, but for waits that are
 * pending there and that the order has itself or does without. */
static void write_start(ser_json *json, const ser_predict_report *report,
                        const ser_block_result *result)
{
    uint64_t start = ser_predict_start(report, result);
    if (!start || is_completed(report, result))
        return;
    ser_json_number_at(json, "start", start);
    if (!report->waiting || !report->waiting->count)
        return;
    ser_json_key(json, "waiting");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->waiting->count; i++)
        ser_json_number(json, report->waiting->items[i]);
    ser_json_close_array(json);
}

/* What accesses read or write, and what they did in the trace. */
static void write_values(ser_json *json, const char *key, const ser_run *run,
                         const ser_witness_values *values)
{
    if (!values->count)
        return;
    ser_json_key(json, key);
    ser_json_open_array(json);
    for (size_t i = 0; i < values->count; i++) {
        ser_json_open_object(json);
        ser_json_number_at(json, "event", ser_run_number(run, values->items[i].event));
        ser_json_number_at(json, "value", values->items[i].value);
        ser_json_number_at(json, "recorded", values->items[i].recorded);
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
}

void ser_predict_write_witness(ser_json *json, const ser_predict_report *report,
                               const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    ser_json_key(json, "witness");
    if (is_left_out(report, result)) {
        ser_json_null(json);
        return;
    }
    const ser_witness_facts *facts = &result->facts;
    ser_json_open_object(json);
    write_start(json, report, result);
    write_order(json, report, result);
    write_events(json, "path", run, facts->path.items, facts->path.count);
    write_events(json, "broken", run, facts->broken.items, facts->broken.count);
    ser_json_number_at(json, "switches", facts->switches);
    write_values(json, "path_values", run, &facts->path_values);
    write_values(json, "values", run, &facts->values);
    if (result->relies_on)
        write_events(json, "relies_on", run, &result->relies_on, 1);
    ser_json_close_object(json);
}

static void write_name_or_null(ser_json *json, const char *key, const ser_symbols *symbols,
                               ser_space space, uint32_t number)
{
    if (number == SER_NO_OBJECT)
        ser_json_text_or_null_at(json, key, NULL);
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
    ser_json_number_at(json, "begin", ser_run_number(run, block->begin));
    ser_json_key(json, "end");
    if (block->end)
        ser_json_number(json, ser_run_number(run, block->end));
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

/* The names are those of the paper's table (docs/algorithms/triples.md). */
static void write_triple_counts(ser_json *json, const ser_triple_counts *counts)
{
    ser_json_number_at(json, "orig_pavs", counts->potential);
    ser_json_number_at(json, "hb_pavs", counts->ordered);
    ser_json_number_at(json, "nested_locks_pavs", counts->unlocked);
    ser_json_number_at(json, "sym_avs", counts->real);
    ser_json_number_at(json, "undecided", counts->undecided);
}

static void write_triples(ser_json *json, const ser_run *run, const ser_block_result *result)
{
    ser_json_key(json, "triples");
    ser_json_open_object(json);
    write_triple_counts(json, &result->triples);
    ser_json_key(json, "real");
    ser_json_open_array(json);
    for (size_t i = 0; i < result->real_triples.count; i++) {
        const ser_triple *triple = &result->real_triples.items[i];
        ser_json_open_array(json);
        ser_json_number(json, ser_run_number(run, triple->from));
        ser_json_number(json, ser_run_number(run, triple->remote));
        ser_json_number(json, ser_run_number(run, triple->to));
        ser_json_close_array(json);
    }
    ser_json_close_array(json);
    ser_json_close_object(json);
}

/* Of a result that holds for a window alone: of a stream, or around a block whose segment could not
 * be searched. */
static void write_window(const ser_predict_report *report, ser_json *json,
                         const ser_block_result *result)
{
    bool is_bounded = result->reason == SER_REASON_WINDOW && result->bound.last;
    if (!report->window_first && !is_bounded)
        return;
    ser_json_key(json, "window");
    ser_json_open_array(json);
    ser_json_number(json, is_bounded ? result->bound.first : report->window_first);
    ser_json_number(json, is_bounded ? result->bound.last : report->window_last);
    ser_json_close_array(json);
}

void ser_predict_write_result(const ser_predict_report *report, ser_json *json,
                              const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = &run->blocks.items[result->block];
    ser_json_open_object(json);
    write_span(run, json, block);
    ser_json_number_at(json, "events", result->events);
    ser_json_number_at(json, "segment", result->segment);
    ser_json_text_at(json, "verdict", ser_verdict_name(result->verdict));
    ser_json_text_or_null_at(json, "reason", ser_reason_name(result->reason));
    ser_json_text_or_null_at(json, "engine", result->engine);
    ser_json_number_at(json, "explored", result->explored);
    ser_json_number_at(json, "constraints", result->constraints);
    ser_json_real_at(json, "seconds", result->seconds);
    ser_json_text_at(json, "model", ser_model_name(result->model));
    write_place(json, run->symbols, &run->events[block->begin]);
    write_window(report, json, result);
    ser_predict_write_witness(json, report, result);
    if (report->triples)
        write_triples(json, run, result);
    ser_json_close_object(json);
}

void ser_predict_write_summary(ser_json *json, const uint64_t verdicts[SER_VERDICT_VIOLATION + 1],
                               const ser_triple_counts *triples)
{
    static const ser_verdict shown[] = {SER_VERDICT_STATIC, SER_VERDICT_NONE, SER_VERDICT_VIOLATION,
                                        SER_VERDICT_UNKNOWN};
    ser_json_key(json, "summary");
    ser_json_open_object(json);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ser_json_number_at(json, ser_verdict_name(shown[i]), verdicts[shown[i]]);
    if (triples) {
        ser_json_key(json, "triples");
        ser_json_open_object(json);
        write_triple_counts(json, triples);
        ser_json_close_object(json);
    }
    ser_json_close_object(json);
}

bool ser_predict_is_notable(const ser_block_result *result)
{
    bool is_bounded = result->reason == SER_REASON_WINDOW && result->bound.last;
    return result->verdict == SER_VERDICT_VIOLATION ||
           (result->verdict == SER_VERDICT_UNKNOWN && !is_bounded);
}

void ser_predict_write_left_out(ser_json *json, const uint64_t verdicts[SER_VERDICT_VIOLATION + 1],
                                uint64_t bounded)
{
    ser_json_key(json, "leftOut");
    ser_json_open_object(json);
    ser_json_number_at(json, "static", verdicts[SER_VERDICT_STATIC]);
    ser_json_number_at(json, "none", verdicts[SER_VERDICT_NONE]);
    ser_json_number_at(json, ser_reason_name(SER_REASON_WINDOW), bounded);
    ser_json_close_object(json);
}

/* All of them, or the notable ones, also where there is no time: a part of a prediction (--shard)
 * must not lose a violation. */
static void write_results(const ser_predict_report *report, const ser_predict_summary *summary,
                          ser_json *json)
{
    uint64_t bounded = 0;
    ser_predict_report now = *report;
    ser_json_key(json, "blocks");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->prediction->results.count; i++) {
        const ser_block_result *result = &report->prediction->results.items[i];
        bool is_notable = ser_predict_is_notable(result);
        bounded += !is_notable && result->verdict == SER_VERDICT_UNKNOWN;
        now.is_brief = ser_should_stop_writing();
        if (is_notable || !report->only_notable)
            ser_predict_write_result(&now, json, result);
    }
    ser_json_close_array(json);
    if (report->only_notable)
        ser_predict_write_left_out(json, summary->verdicts, bounded);
}

/* Only of a part: of the blocks ("shard"), or of the ways to violate each ("split"). */
static void write_part(ser_json *json, const char *key, ser_shard part, const char *task)
{
    if (!part.of)
        return;
    ser_json_key(json, key);
    ser_json_open_object(json);
    ser_json_text_at(json, "task", task);
    ser_json_number_at(json, "number", part.number);
    ser_json_number_at(json, "of", part.of);
    ser_json_close_object(json);
}

static const char *criterion_name(const ser_predict_report *report)
{
    if (report->triples)
        return "triple";
    return report->serializability ? "serializability" : "path";
}

/* Reads that the model guards follows; those of the kinds behind "stored" want an equal value. */
static void write_reads(ser_json *json, const ser_read_counts *counts)
{
    ser_json_key(json, "reads");
    ser_json_open_object(json);
    ser_json_number_at(json, "shared", counts->all);
    for (ser_read_kind kind = 0; kind < SER_READ_KINDS; kind++)
        ser_json_number_at(json, ser_read_kind_name(kind), counts->kinds[kind]);
    ser_json_close_object(json);
}

void ser_predict_report_json(const ser_predict_report *report, ser_json *json)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "predict");
    ser_json_text_at(json, "criterion", criterion_name(report));
    ser_json_bool_at(json, "partial", report->partial != NULL);
    write_part(json, "shard", report->shard, report->task);
    write_part(json, "split", report->part, report->task);
    ser_describe_trace_json(json, report->path, &report->size);
    write_results(report, &summary, json);
    if (report->candidates)
        ser_predict_write_candidates(report, json);
    ser_predict_write_summary(json, summary.verdicts, report->triples ? &summary.triples : NULL);
    if (report->reads)
        write_reads(json, report->reads);
    ser_json_close_object(json);
}
