/* SPDX-License-Identifier: MIT */
/*
 * A violation is described in words, event by event, followed by the interleaving in columns.
 * Violations at the same places of the program as another one are only counted, and so are those
 * beyond the first few.
 */
#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/output/print.h"
#include "report/predict_report.h"

enum { MOST_PRINTED = 10, MOST_PRINTED_OF_CODE = 3 };

typedef SER_VECTOR(size_t) size_list; /* of results, by index */

static const ser_block_result *result_at(const ser_predict_report *report, size_t index)
{
    return &report->prediction->results.items[index];
}

static const ser_run_block *block_of(const ser_predict_report *report,
                                     const ser_block_result *result)
{
    return &report->prediction->run->blocks.items[result->block];
}

static const ser_event *event_at(const ser_predict_report *report, uint32_t event)
{
    return &report->prediction->run->events[event];
}

/* Are the blocks runs of the same code, as far as that is known? */
static bool are_same_code(const ser_predict_report *report, const ser_block_result *a,
                          const ser_block_result *b)
{
    const ser_event *first = event_at(report, block_of(report, a)->begin);
    const ser_event *second = event_at(report, block_of(report, b)->begin);
    bool named = first->site != SER_NO_SITE || first->object != SER_NO_OBJECT;
    return named && first->op == second->op && first->site == second->site &&
           first->object == second->object;
}

/* Do the violations happen at the same places of the program? */
static bool are_alike(const ser_predict_report *report, const ser_block_result *a,
                      const ser_block_result *b)
{
    if (!are_same_code(report, a, b) || a->facts.path.count != b->facts.path.count)
        return false;
    for (size_t i = 0; i < a->facts.path.count; i++) {
        uint32_t site = event_at(report, a->facts.path.items[i])->site;
        if (site == SER_NO_SITE || site != event_at(report, b->facts.path.items[i])->site)
            return false;
    }
    return true;
}

/* The number (from 1) of a printed violation like this one; 0: there is none, and it should be
 * printed as well. */
static size_t find_alike(const ser_predict_report *report, const size_list *printed,
                         const ser_block_result *result)
{
    size_t first = 0, same_code = 0;
    for (size_t i = printed->count; i-- > 0;) {
        const ser_block_result *other = result_at(report, printed->items[i]);
        if (are_alike(report, other, result))
            return i + 1;
        if (are_same_code(report, other, result)) {
            first = i + 1;
            same_code++;
        }
    }
    return same_code < MOST_PRINTED_OF_CODE ? 0 : first;
}

static void print_span(const ser_run *run, const ser_run_block *block, FILE *file)
{
    ser_print(file, "block %" PRIu64 "-", ser_run_number(run, block->begin));
    if (block->end)
        ser_print(file, "%" PRIu64, ser_run_number(run, block->end));
}

/* " (transfer, bank.c:31)" */
static void print_place(const ser_run *run, const ser_run_block *block, FILE *file)
{
    const ser_event *first = &run->events[block->begin];
    const char *location = ser_symbols_shown_location(run->symbols, first->site);
    const char *name = "";
    if (ser_op_opens((ser_op)first->op))
        name = ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)first->op), first->object);
    if (*name || *location)
        ser_print(file, " (%s%s%s)", name, *name && *location ? ", " : "", location);
}

void ser_predict_print_heading(const ser_predict_report *report, const ser_block_result *result,
                               FILE *file)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = block_of(report, result);
    print_span(run, block, file);
    ser_print(file, " of thread %s",
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, block->thread));
    print_place(run, block, file);
}

/* Threads go on behind changed reads, but not where it would matter what they have read. */
static void print_legend_of_data(const ser_block_result *result, FILE *file)
{
    if (result->facts.broken.count)
        ser_print(file,
                  "; ! reads another value than observed, and\n  its thread goes on only as far "
                  "as no step depends on that value (--model data).\n");
    else
        ser_print(file, ".\n  Some reads get a different write with the same value (--model data)."
                        "\n");
}

static void print_legend_of_guards(const ser_block_result *result, FILE *file)
{
    if (result->facts.broken.count)
        ser_print(file, "; ! is such a read, too, or one whose value only reaches"
                        "\n  values that are stored");
    ser_print(file, ".\n  Some reads get other values, for which every branch that depends on them"
                    " goes\n  the way it went (--model guards).\n");
}

/* "  event 17 of T2, r(x): 0" */
static void print_value(const ser_run *run, const ser_witness_value *value, FILE *file)
{
    const ser_event *event = &run->events[value->event];
    ser_print(file, "  event %" PRIu64 " of %s, %s(%s): %" PRId64,
              ser_run_number(run, value->event),
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, event->thread),
              ser_op_name((ser_op)event->op),
              ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)event->op), event->object),
              (int64_t)value->value);
}

/* The same with ", recorded 4" behind it, of those that differ. */
static void print_values(const ser_predict_report *report, const ser_block_result *result,
                         FILE *file)
{
    enum { MOST_VALUES = 12 };
    const ser_run *run = report->prediction->run;
    const ser_witness_values *path = &result->facts.path_values, *others = &result->facts.values;
    if (path->count)
        ser_print(file, "\n  Values along the path:\n");
    for (size_t i = 0; i < path->count; i++) {
        print_value(run, &path->items[i], file);
        ser_print(file, "\n");
    }
    if (others->count)
        ser_print(file, "\n  Values that are known to differ from the recorded run:\n");
    for (size_t i = 0; i < others->count && (report->verbose || i < MOST_VALUES); i++) {
        print_value(run, &others->items[i], file);
        ser_print(file, ", recorded %" PRId64 "\n", (int64_t)others->items[i].recorded);
    }
    if (!report->verbose && others->count > MOST_VALUES)
        ser_print(file, "  and %zu more\n", others->count - MOST_VALUES);
}

static void print_reliance(const ser_run *run, uint32_t event, FILE *file)
{
    ser_print(file,
              "  Not certain: it relies on event %" PRIu64
              ", which reads a different value, not to "
              "write.\n  Replay it to be sure.\n",
              ser_run_number(run, event));
}

static void print_legend(const ser_predict_report *report, const ser_block_result *result,
                         FILE *file)
{
    ser_print(file, "  ");
    ser_describe_count(file, result->order.count, "step");
    ser_print(file, ", %" PRIu32 " context switch%s. * is on the path", result->facts.switches,
              result->facts.switches == 1 ? "" : "es");
    if (result->model == SER_MODEL_GUARDS) {
        print_legend_of_guards(result, file);
    } else if (result->model == SER_MODEL_DATA) {
        print_legend_of_data(result, file);
    } else {
        ser_print(file,
                  result->facts.broken.count
                      ? "; ! reads another value than observed, and its\n  thread stops there.\n"
                      : ".\n");
    }
    print_values(report, result, file);
    if (result->relies_on)
        print_reliance(report->prediction->run, result->relies_on, file);
    if (report->prediction->run->numbering)
        ser_print(file, "  Accesses of variables that threads do not share are not shown.\n");
    size_t index = (size_t)(result - report->prediction->results.items);
    if (report->schedules && !(report->unwritten && report->unwritten[index])) {
        char path[SER_PREDICT_PATH_SIZE];
        ser_predict_schedule_path(report->schedules, ser_predict_begin(report, result), path);
        ser_print(file, "  As a schedule: %s\n", path);
    }
    uint64_t start = ser_predict_start(report, result);
    if (start)
        ser_print(file,
                  "  Everything before event %" PRIu64 " happens as observed, and is not shown.\n",
                  start);
}

void ser_predict_print_violation(const ser_predict_report *report, const ser_block_result *result,
                                 size_t number, FILE *file)
{
    ser_print(file, "\nViolation %zu: ", number);
    ser_predict_print_heading(report, result, file);
    ser_print(file, " is not atomic.\nAn interleaving of this run has:\n\n");
    ser_predict_print_path(report, result, file);
    fputc('\n', file);
    ser_predict_print_witness(report, result, file);
    fputc('\n', file);
    print_legend(report, result, file);
}

/* "120, 133, 150, ..." */
static void print_begins(const ser_predict_report *report, const size_list *results, FILE *file)
{
    enum { MOST_NAMED = 8 };
    for (size_t i = 0; i < results->count && i < MOST_NAMED; i++)
        ser_print(file, "%s%" PRIu64, i ? ", " : "",
                  ser_predict_begin(report, result_at(report, results->items[i])));
    ser_print(file, results->count > MOST_NAMED ? ", ...\n" : "\n");
}

static void print_alike(const ser_predict_report *report, size_t number, const size_list *alike,
                        FILE *file)
{
    ser_print(file, "\n");
    ser_describe_count(file, alike->count, "more block");
    if (number)
        ser_print(file, " of the same code as in violation %zu can be violated: ", number);
    else
        ser_print(file, " can be violated (--verbose shows all): ");
    print_begins(report, alike, file);
}

static void print_violations(const ser_predict_report *report, FILE *file)
{
    size_list printed = {0};
    size_list alike[MOST_PRINTED + 1] = {{0}}; /* by printed violation, from 1; 0: like none */
    for (size_t i = 0; i < report->prediction->results.count && !ser_should_stop_writing(); i++) {
        const ser_block_result *result = result_at(report, i);
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        size_t model = report->verbose ? 0 : find_alike(report, &printed, result);
        if (report->verbose || (!model && printed.count < MOST_PRINTED)) {
            ser_vector_push(&printed, i);
            ser_predict_print_violation(report, result, printed.count, file);
        } else {
            ser_vector_push(&alike[model], i);
        }
    }
    for (size_t i = 1; i <= MOST_PRINTED; i++)
        if (alike[i].count)
            print_alike(report, i, &alike[i], file);
    if (alike[0].count)
        print_alike(report, 0, &alike[0], file);
    for (size_t i = 0; i <= MOST_PRINTED; i++)
        ser_vector_free(&alike[i]);
    ser_vector_free(&printed);
}

static void print_replay(const ser_predict_report *report, FILE *file)
{
    for (size_t i = 0; i < report->prediction->results.count; i++) {
        const ser_block_result *result = result_at(report, i);
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        ser_describe_replay(file, report->path, report->atomic);
        ser_print(file, " --block %" PRIu64 " -- PROGRAM\n", ser_predict_begin(report, result));
        return;
    }
}

static const char *what_has_none(const ser_predict_report *report,
                                 const ser_predict_summary *summary)
{
    if (summary->blocks)
        return report->part.of ? " in this part" : ": no interleaving of this run violates a block";
    return report->shard.of ? ": the shard has no blocks" : ": the trace has no atomic blocks";
}

static void print_verdict(const ser_predict_report *report, const ser_predict_summary *summary,
                          FILE *file)
{
    uint64_t violated = summary->verdicts[SER_VERDICT_VIOLATION];
    uint64_t unknown = summary->verdicts[SER_VERDICT_UNKNOWN];
    fputc('\n', file);
    if (violated) {
        if (report->schedules)
            print_replay(report, file);
        ser_print(file, "violation: %" PRIu64 " of %" PRIu64 " block%s can be violated", violated,
                  summary->blocks, summary->blocks == 1 ? "" : "s");
        if (unknown)
            ser_print(file, ", %" PRIu64 " undecided", unknown);
        fputc('\n', file);
    } else if (unknown) {
        ser_print(file, "undecided: %" PRIu64 " of %" PRIu64 " block%s; no violation found\n",
                  unknown, summary->blocks, summary->blocks == 1 ? "" : "s");
    } else if (report->partial) {
        ser_print(file, "undecided: no block was read\n");
    } else {
        ser_print(file, "no violation%s\n", what_has_none(report, summary));
    }
}

void ser_predict_report_text(const ser_predict_report *report, FILE *file)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    ser_describe_trace(file, report->path, &report->size);
    if (report->shard.of)
        ser_print(file, "Shard %" PRIu32 " of %" PRIu32 ": %" PRIu64 " of the blocks.\n",
                  report->shard.number, report->shard.of, summary.blocks);
    if (report->part.of)
        ser_print(file, "Part %" PRIu32 " of %" PRIu32 " of the ways to violate each block.\n",
                  report->part.number, report->part.of);
    print_violations(report, file);
    if (report->candidates)
        ser_predict_print_candidates(report, file);
    if (report->verbose && summary.blocks) {
        fputc('\n', file);
        ser_predict_print_blocks(report, file);
    }
    if (summary.blocks) {
        fputc('\n', file);
        ser_predict_print_summary(&summary, report->prediction->run->count, file);
        if (report->triples)
            ser_predict_print_triples(&summary.triples, file);
        if (report->reads)
            ser_predict_print_reads(report->reads, file);
    }
    if (report->partial)
        ser_print(file, "\nThis is a partial result: %s.\n", report->partial);
    print_verdict(report, &summary, file);
}
