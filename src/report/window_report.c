/* SPDX-License-Identifier: MIT */
/*
 * A result in a window is written like one of a whole run: of the excerpt if it is a violation,
 * else of a run that has the block's first and last event alone (make_stub).
 */
#include "report/window_report.h"

#include <inttypes.h>

#include "base/output/print.h"

/* A run as the writers of a result need it. */
typedef struct stub {
    ser_event events[3];
    uint64_t numbers[3];
    ser_run_block block;
    ser_numbering numbering;
    ser_run run;
} stub;

static void make_stub(stub *made, const ser_window_block *block)
{
    *made = (stub){
        .events = {[1] = block->first, [2] = block->first},
        .numbers = {0, block->begin, block->end},
        .block = {.thread = block->first.thread, .begin = 1, .end = block->end ? 2 : 0},
    };
    made->numbering.numbers.items = made->numbers;
    made->numbering.numbers.count = 3;
    made->run.events = made->events;
    made->run.count = 2;
    made->run.numbering = &made->numbering;
    made->run.blocks.items = &made->block;
    made->run.blocks.count = 1;
}

/* --- JSON ---------------------------------------------------------------------------- */

static void write_json(const ser_window_report *report, const ser_predict_report *one,
                       const ser_block_result *result)
{
    if (report->json && (!report->only_notable || ser_predict_is_notable(result)))
        ser_predict_write_result(one, report->json, result);
}

void ser_window_report_begin(ser_window_report *report)
{
    ser_json *json = report->json;
    if (!json)
        return;
    ser_json_open_object(json);
    ser_json_text_at(json, "command", "predict");
    ser_json_text_at(json, "criterion", "path");
    ser_json_key(json, "blocks");
    ser_json_open_array(json);
}

static void end_json(const ser_window_report *report, const ser_trace_size *size,
                     const char *partial)
{
    ser_json *json = report->json;
    ser_json_close_array(json);
    if (report->only_notable)
        ser_predict_write_left_out(json, report->verdicts, report->bounded);
    ser_json_bool_at(json, "partial", partial != NULL);
    ser_describe_trace_json(json, report->path, size);
    ser_predict_write_summary(json, report->verdicts, NULL);
    ser_json_close_object(json);
    ser_json_end(json);
}

/* --- text ------------------------------------------------------------------------------ */

/* Is it the first of its place that is printed? */
static bool is_new(ser_window_report *report, const ser_event *first)
{
    enum { MOST_PLACES = 1000 };
    const ser_window_place place = {first->op, first->site, first->object};
    for (size_t i = 0; i < report->printed.count; i++) {
        const ser_window_place *other = &report->printed.items[i];
        if (other->op == place.op && other->site == place.site && other->object == place.object)
            return false;
    }
    if (report->printed.count == MOST_PLACES)
        return false;
    ser_vector_push(&report->printed, place);
    return true;
}

static void print_violation(ser_window_report *report, const ser_predict_report *one,
                            const ser_window_result *decided, const ser_block_result *result)
{
    if (!report->text || !is_new(report, &decided->block->first))
        return;
    ser_predict_print_violation(one, result, report->printed.count, report->text);
    fflush(report->text);
}

static void print_counts(const ser_window_report *report)
{
    FILE *file = report->text;
    uint64_t exact = report->verdicts[SER_VERDICT_NONE] + report->verdicts[SER_VERDICT_STATIC];
    uint64_t unknown = report->verdicts[SER_VERDICT_UNKNOWN] - report->bounded - report->outside;
    ser_print(file, "\n  blocks                %12" PRIu64 "\n", report->blocks);
    ser_print(file, "    violation           %12" PRIu64 "\n",
              report->verdicts[SER_VERDICT_VIOLATION]);
    ser_print(file, "    none                %12" PRIu64 "\n", exact);
    ser_print(file, "    none within windows %12" PRIu64 "\n", report->bounded);
    if (report->outside)
        ser_print(file, "    without a window    %12" PRIu64 "\n", report->outside);
    if (unknown)
        ser_print(file, "    unknown             %12" PRIu64 "\n", unknown);
}

static void print_verdict(const ser_window_report *report, const char *partial)
{
    FILE *file = report->text;
    uint64_t violated = report->verdicts[SER_VERDICT_VIOLATION];
    fputc('\n', file);
    if (violated)
        ser_print(file, "violation: %" PRIu64 " of %" PRIu64 " block%s can be violated\n", violated,
                  report->blocks, report->blocks == 1 ? "" : "s");
    else if (ser_window_report_verdict(report, partial) == SER_UNDECIDED)
        ser_print(file,
                  report->bounded ? "undecided: no violation within windows of %" PRIu32 " events\n"
                                  : "undecided: no violation found\n",
                  report->size);
    else if (report->bounded)
        ser_print(file, "no violation within windows of %" PRIu32 " events\n", report->size);
    else
        ser_print(file, report->blocks
                            ? "no violation: no interleaving of this run violates a block\n"
                            : "no violation: the trace has no atomic blocks\n");
}

/* --- both -------------------------------------------------------------------------------- */

static void count(ser_window_report *report, const ser_window_result *decided)
{
    bool is_bounded = decided->result->reason == SER_REASON_WINDOW;
    report->blocks++;
    report->verdicts[decided->result->verdict]++;
    report->bounded += is_bounded && decided->first;
    report->outside += is_bounded && !decided->first;
}

static void list_waits(ser_number_list *waits, const ser_excerpt *excerpt)
{
    for (size_t i = 0; excerpt && i < excerpt->waits.count; i++)
        ser_vector_push(waits, excerpt->waits.items[i].number);
}

void ser_window_report_add(void *context, const ser_window_result *decided)
{
    ser_window_report *report = context;
    bool is_violation = decided->result->verdict == SER_VERDICT_VIOLATION;
    ser_block_result result = *decided->result;
    ser_number_list waits = {0};
    stub made;
    count(report, decided);
    make_stub(&made, decided->block);
    result.events = decided->block->events;
    if (result.reason == SER_REASON_WINDOW)
        result.bound = (ser_bound){decided->first, decided->last};
    result.block = is_violation ? result.block : 0;
    ser_run *run = is_violation ? decided->excerpt->run : &made.run;
    run->symbols = report->symbols;
    const ser_prediction prediction = {.run = run, .results = {.items = &result, .count = 1}};
    list_waits(&waits, decided->excerpt);
    const ser_predict_report one = {
        .path = report->path,
        .window_first = decided->is_whole ? 0 : decided->first,
        .window_last = decided->last,
        .waiting = &waits,
        .prediction = &prediction,
    };
    write_json(report, &one, &result);
    if (is_violation)
        print_violation(report, &one, decided, &result);
    ser_vector_free(&waits);
}

void ser_window_report_end(ser_window_report *report, const ser_trace_size *size,
                           const char *partial)
{
    if (report->json)
        end_json(report, size, partial);
    if (report->text) {
        if (report->verdicts[SER_VERDICT_VIOLATION])
            fputc('\n', report->text);
        ser_describe_trace(report->text, report->path, size);
        print_counts(report);
        if (partial)
            ser_print(report->text, "\nThis is a partial result: %s.\n", partial);
        print_verdict(report, partial);
    }
    ser_vector_free(&report->printed);
}

ser_status ser_window_report_verdict(const ser_window_report *report, const char *partial)
{
    if (report->verdicts[SER_VERDICT_VIOLATION])
        return SER_VIOLATION;
    uint64_t accepted = report->is_asked_for ? report->bounded : 0;
    bool is_open = report->verdicts[SER_VERDICT_UNKNOWN] > accepted;
    return partial || is_open ? SER_UNDECIDED : SER_OK;
}
