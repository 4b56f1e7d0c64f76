/* SPDX-License-Identifier: MIT */
/*
 * A violation is told in words, event by event, and then shown: the interleaving, in
 * columns. One that happens at the same places of the program as another is only
 * named, and so are those beyond the first few: most blocks of a loop fail alike.
 */
#include <inttypes.h>
#include <string.h>

#include "report/predict_report.h"

enum { MOST_TOLD = 10 };

/* Violations told so far, by index of their results. */
typedef SER_VECTOR(size_t) told_list;

void ser_predict_schedule_path(const char *folder, uint32_t begin, char path[SER_PREDICT_PATH_SIZE])
{
    snprintf(path, SER_PREDICT_PATH_SIZE, "%s/block-%" PRIu32 ".schedule", folder, begin);
}

static const ser_block_result *result_at(const ser_predict_report *report, size_t index)
{
    return &report->prediction->results.items[index];
}

static const ser_run_block *block_of(const ser_predict_report *report,
                                     const ser_block_result *result)
{
    return &report->prediction->run->blocks.items[result->block];
}

static uint32_t site_of(const ser_predict_report *report, uint32_t event)
{
    return report->prediction->run->events[event].site;
}

/* Do the violations happen at the same places of the program? */
static bool are_alike(const ser_predict_report *report, const ser_block_result *a,
                      const ser_block_result *b)
{
    uint32_t site = site_of(report, block_of(report, a)->begin);
    if (site == SER_NO_SITE || site != site_of(report, block_of(report, b)->begin) ||
        a->facts.path.count != b->facts.path.count)
        return false;
    for (size_t i = 0; i < a->facts.path.count; i++)
        if (site_of(report, a->facts.path.items[i]) != site_of(report, b->facts.path.items[i]))
            return false;
    return true;
}

/* The number of the told violation that is like this one, from 1; 0: none is. */
static size_t find_alike(const ser_predict_report *report, const told_list *told,
                         const ser_block_result *result)
{
    for (size_t i = 0; i < told->count; i++)
        if (are_alike(report, result_at(report, told->items[i]), result))
            return i + 1;
    return 0;
}

static void print_span(const ser_run_block *block, FILE *file)
{
    fprintf(file, "block %" PRIu32 "-", block->begin);
    if (block->end)
        fprintf(file, "%" PRIu32, block->end);
}

/* " (transfer, bank.c:31)" */
static void print_place(const ser_run *run, const ser_run_block *block, FILE *file)
{
    const ser_event *first = &run->events[block->begin];
    const char *location = ser_symbols_location(run->symbols, first->site);
    const char *name = "";
    if (first->op == SER_OP_BEGIN || first->op == SER_OP_CALL)
        name = ser_symbols_name(run->symbols, ser_op_space((ser_op)first->op), first->object);
    if (*name || *location)
        fprintf(file, " (%s%s%s)", name, *name && *location ? ", " : "", location);
}

static void print_heading(const ser_predict_report *report, const ser_block_result *result,
                          FILE *file)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = block_of(report, result);
    print_span(block, file);
    fprintf(file, " of thread %s", ser_symbols_name(run->symbols, SER_SPACE_THREAD, block->thread));
    print_place(run, block, file);
}

static void print_legend(const ser_predict_report *report, const ser_block_result *result,
                         FILE *file)
{
    fprintf(file, "  ");
    ser_describe_count(file, result->order.count, "step");
    fprintf(file, ", %" PRIu32 " context switch%s. * is on the path%s\n", result->facts.switches,
            result->facts.switches == 1 ? "" : "es",
            result->facts.broken.count
                ? "; ! reads another value than observed, and its\n  thread stops there."
                : ".");
    if (report->schedules) {
        char path[SER_PREDICT_PATH_SIZE];
        ser_predict_schedule_path(report->schedules, block_of(report, result)->begin, path);
        fprintf(file, "  As a schedule: %s\n", path);
    }
}

static void tell_violation(const ser_predict_report *report, const ser_block_result *result,
                           size_t number, FILE *file)
{
    fprintf(file, "\nViolation %zu: ", number);
    print_heading(report, result, file);
    fprintf(file, " is not atomic.\nAn interleaving of this run has:\n\n");
    ser_predict_print_path(report, result, file);
    fputc('\n', file);
    ser_predict_print_witness(report, result, file);
    fputc('\n', file);
    print_legend(report, result, file);
}

static void print_violations(const ser_predict_report *report, FILE *file)
{
    told_list told = {0};
    size_t left_out = 0;
    for (size_t i = 0; i < report->prediction->results.count; i++) {
        const ser_block_result *result = result_at(report, i);
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        size_t alike = report->verbose ? 0 : find_alike(report, &told, result);
        if (!alike && (report->verbose || told.count < MOST_TOLD)) {
            ser_vector_push(&told, i);
            tell_violation(report, result, told.count, file);
            left_out = 0;
            continue;
        }
        fprintf(file, "%s", left_out++ ? "" : "\n");
        fprintf(file, "Also ");
        print_heading(report, result, file);
        if (alike)
            fprintf(file, ", as in violation %zu", alike);
        fputc('\n', file);
    }
    ser_vector_free(&told);
}

static void print_replay(const ser_predict_report *report, FILE *file)
{
    for (size_t i = 0; i < report->prediction->results.count; i++) {
        const ser_block_result *result = result_at(report, i);
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        fprintf(file, "to replay: seriatim replay %s --block %" PRIu32 " -- PROGRAM\n",
                report->path, block_of(report, result)->begin);
        return;
    }
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
        fprintf(file, "violation: %" PRIu64 " of %" PRIu64 " block%s can be violated", violated,
                summary->blocks, summary->blocks == 1 ? "" : "s");
        if (unknown)
            fprintf(file, ", %" PRIu64 " undecided", unknown);
        fputc('\n', file);
    } else if (unknown) {
        fprintf(file, "undecided: %" PRIu64 " of %" PRIu64 " block%s; no violation found\n",
                unknown, summary->blocks, summary->blocks == 1 ? "" : "s");
    } else if (report->partial) {
        fprintf(file, "undecided: no block was read\n");
    } else {
        fprintf(file, "no violation: no interleaving of this run violates a block\n");
    }
}

void ser_predict_report_text(const ser_predict_report *report, FILE *file)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    ser_describe_trace(file, report->path, &report->size);
    print_violations(report, file);
    if (report->verbose && summary.blocks) {
        fputc('\n', file);
        ser_predict_print_blocks(report, file);
    }
    fputc('\n', file);
    ser_predict_print_summary(&summary, report->prediction->run->count, file);
    if (report->partial)
        fprintf(file, "\nThis is a partial result: %s.\n", report->partial);
    print_verdict(report, &summary, file);
}
