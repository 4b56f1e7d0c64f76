/* SPDX-License-Identifier: MIT */
/*
 * A violation is reported as a table: the events of the cycle in the order of its
 * edges, two lines for an edge, each with thread, transaction, event number,
 * operation and location, so that the lines can be found in the trace. Then the
 * same in one sentence: what would have to come before what.
 */
#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/output/print.h"
#include "report/check_report.h"

enum { NAME_WIDTH = 320, WIDEST_COLUMN = 60 };

/* Of a longer cycle only both ends are printed. */
enum { MOST_STEPS = 60, MOST_STEPS_IN_SENTENCE = 12 };

typedef struct row {
    char thread[NAME_WIDTH];
    char transaction[64];
    char number[24];
    char operation[NAME_WIDTH];
    const char *location;
} row;

typedef struct widths {
    int thread, transaction, number, operation;
} widths;

static const char *name_of(const ser_check_report *report, ser_space space, uint32_t number)
{
    return ser_symbols_shown_name(report->symbols, space, number);
}

/* "block 12-19", "block 12-" for one that does not end, "event 7" outside blocks. */
static void describe_block(const ser_block_span *block, char *text, size_t size)
{
    const char *noun = block->first.flags & SER_EVENT_STEP ? "step" : "block";
    if (block->end)
        snprintf(text, size, "%s %" PRIu64 "-%" PRIu64, noun, block->begin, block->end);
    else
        snprintf(text, size, "%s %" PRIu64 "-", noun, block->begin);
}

static void describe_transaction(const ser_check_report *report, const ser_moment *moment,
                                 char *text, size_t size)
{
    if (moment->block == SER_NO_BLOCK)
        snprintf(text, size, "event %" PRIu64, moment->number);
    else
        describe_block(ser_explainer_block(report->findings, moment->block), text, size);
}

static void describe_moment(const ser_check_report *report, const ser_moment *moment, row *line)
{
    snprintf(line->thread, sizeof line->thread, "%s",
             name_of(report, SER_SPACE_THREAD, moment->event.thread));
    describe_transaction(report, moment, line->transaction, sizeof line->transaction);
    snprintf(line->number, sizeof line->number, "%" PRIu64, moment->number);
    ser_describe_operation(report->symbols, &moment->event, line->operation,
                           sizeof line->operation);
    line->location = ser_symbols_shown_location(report->symbols, moment->event.site);
}

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);
    if (length > *width)
        *width = length < WIDEST_COLUMN ? length : WIDEST_COLUMN;
}

static bool is_omitted(const ser_finding *finding, size_t step)
{
    size_t count = finding->steps.count;
    return count > MOST_STEPS && step >= MOST_STEPS / 2 && step < count - MOST_STEPS / 2;
}

static void measure(const ser_check_report *report, const ser_finding *finding, widths *columns)
{
    *columns = (widths){6, 11, 5, 9}; /* of the headings */
    for (size_t i = 0; i < 2 * finding->steps.count; i++) {
        if (is_omitted(finding, i / 2))
            continue;
        const ser_step *step = &finding->steps.items[i / 2];
        row line;
        describe_moment(report, i % 2 ? &step->to : &step->from, &line);
        widen(&columns->thread, line.thread);
        widen(&columns->transaction, line.transaction);
        widen(&columns->number, line.number);
        widen(&columns->operation, line.operation);
    }
}

static void print_row(FILE *file, const widths *columns, const row *line)
{
    ser_print(file, "  %-*s  %-*s  %*s  ", columns->thread, line->thread, columns->transaction,
              line->transaction, columns->number, line->number);
    if (*line->location)
        ser_print(file, "%-*s  %s\n", columns->operation, line->operation, line->location);
    else
        ser_print(file, "%s\n", line->operation);
}

static void print_moment(const ser_check_report *report, FILE *file, const widths *columns,
                         const ser_moment *moment)
{
    row line;
    describe_moment(report, moment, &line);
    print_row(file, columns, &line);
}

static void print_reason(const ser_check_report *report, FILE *file, const widths *columns,
                         const ser_step *step)
{
    int indent = columns->thread + columns->transaction + columns->number + 8;
    if (step->by == SER_EDGE_PROGRAM_ORDER)
        ser_print(file, "%*s| comes before, by program order\n", indent, "");
    else
        ser_print(file, "%*s| comes before, by %s %s\n", indent, "", ser_edge_name(step->by),
                  name_of(report, ser_edge_space(step->by), step->object));
}

static void print_cycle(const ser_check_report *report, FILE *file, const ser_finding *finding)
{
    widths columns;
    measure(report, finding, &columns);
    row headings = {"thread", "transaction", "event", "operation", "location"};
    print_row(file, &columns, &headings);
    for (size_t i = 0; i < finding->steps.count; i++) {
        if (is_omitted(finding, i)) {
            size_t next = finding->steps.count - MOST_STEPS / 2;
            ser_print(file, "  ... %zu further steps (--json has them all) ...\n", next - i);
            i = next;
        }
        const ser_step *step = &finding->steps.items[i];
        print_moment(report, file, &columns, &step->from);
        print_reason(report, file, &columns, step);
        print_moment(report, file, &columns, &step->to);
    }
}

static void print_transaction(const ser_check_report *report, FILE *file, const ser_moment *moment)
{
    char text[64];
    describe_transaction(report, moment, text, sizeof text);
    ser_print(file, "%s of %s", text, name_of(report, SER_SPACE_THREAD, moment->event.thread));
}

/* The cycle as an order that no serial run can have. */
static void print_sentence(const ser_check_report *report, FILE *file, const ser_finding *finding)
{
    ser_print(file, "  In a serial run, ");
    print_transaction(report, file, &finding->steps.items[0].from);
    for (size_t i = 0; i < finding->steps.count; i++) {
        const char *link = i == 0 ? " would come before " : ", that before ";
        ser_print(file, "%s", i + 1 == finding->steps.count && i ? ", and that before " : link);
        if (i + 1 == finding->steps.count)
            ser_print(file, "the first again");
        else
            print_transaction(report, file, &finding->steps.items[i].to);
    }
    ser_print(file, ".\n");
}

static void print_heading(const ser_check_report *report, FILE *file, size_t index)
{
    const ser_finding *finding = ser_explainer_finding(report->findings, index);
    ser_block_span block = {.begin = finding->begin, .first.site = SER_NO_SITE};
    if (finding->block != SER_NO_BLOCK)
        block = *ser_explainer_block(report->findings, finding->block);
    const char *location = ser_symbols_shown_location(report->symbols, block.first.site);
    char span[64];
    describe_block(&block, span, sizeof span);
    ser_print(file, "\nViolation %zu: %s of thread %s%s%s%s is not atomic.\n", index + 1, span,
              name_of(report, SER_SPACE_THREAD, finding->thread), *location ? " (" : "", location,
              *location ? ")" : "");
}

/* Or was it closed before, and the engine detected it only now? */
static bool closes_cycle(const ser_finding *finding)
{
    for (size_t i = 0; i < finding->steps.count; i++)
        if (finding->steps.items[i].to.number == finding->event.number)
            return true;
    return false;
}

static void print_finding(const ser_check_report *report, FILE *file, size_t index)
{
    const ser_finding *finding = ser_explainer_finding(report->findings, index);
    print_heading(report, file, index);
    if (finding->steps.count == 0) {
        ser_print(file, "Event %" PRIu64 ": a cycle is complete, which was not traced.\n",
                  finding->event.number);
        return;
    }
    /* Each step leads into another transaction, so there are as many. */
    ser_print(file,
              closes_cycle(finding) ? "Event %" PRIu64 " closes a cycle of %zu transactions:\n\n"
                                    : "Event %" PRIu64
                                      ": a cycle of %zu transactions is complete:\n\n",
              finding->event.number, finding->steps.count);
    print_cycle(report, file, finding);
    if (finding->steps.count > MOST_STEPS_IN_SENTENCE)
        return;
    ser_print(file, "\n");
    print_sentence(report, file, finding);
}

static void print_verdict(const ser_check_report *report, FILE *file)
{
    size_t count = report->findings ? ser_explainer_finding_count(report->findings) : 0;
    const char *part = report->partial ? " in the part that was read" : "";
    if (count == 0)
        ser_print(file, "\nno violation%s: the run is conflict serializable\n", part);
    else if (report->all)
        ser_print(file, "\nviolation: %zu block%s not atomic%s\n", count,
                  count == 1 ? " is" : "s are", part);
    else
        ser_print(file, "\nviolation: found at event %" PRIu64 " (--all finds the others)\n",
                  ser_explainer_finding(report->findings, 0)->event.number);
}

void ser_check_report_text(const ser_check_report *report, FILE *file)
{
    ser_describe_trace(file, report->path, &report->size);
    size_t count = report->findings ? ser_explainer_finding_count(report->findings) : 0;
    for (size_t i = 0; i < count && !ser_should_stop_writing(); i++)
        print_finding(report, file, i);
    if (report->partial)
        ser_print(file, "\nThis is a partial result: %s.\n", report->partial);
    print_verdict(report, file);
}
