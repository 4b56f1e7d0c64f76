/* SPDX-License-Identifier: MIT */
#include "session/run/judge/evidence.h"

#include "session/run/judge/outputs.h"

static bool was_printed_before(const ser_run_report *report, size_t run)
{
    const ser_run_trace *traces = report->traces.items;
    for (size_t i = 0; i < run; i++)
        if (traces[i].has_output && traces[i].output == traces[run].output)
            return true;
    return false;
}

void ser_note_printed(ser_run_report *report, const char *output)
{
    size_t last = report->traces.count - 1;
    ser_run_trace *trace = &report->traces.items[last];
    trace->has_output = !trace->cut && ser_sum_lines(output, &trace->output);
    trace->prints_news = trace->has_output && !was_printed_before(report, last);
}

static bool is_usual(const ser_run_report *report, uint64_t output)
{
    for (size_t i = 0; i < report->traces.count; i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        if (trace->has_output && !trace->violated && trace->output == output)
            return true;
    }
    return false;
}

bool ser_is_better_evidence(const ser_run_report *report, const ser_bug *bug)
{
    const ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    const ser_run_trace *shows = &report->traces.items[bug->trace];
    return bug->is_careful && bug->intention != SER_INTENTION_LOCKED && last->prints_news &&
           shows != last && (!shows->prints_news || is_usual(report, shows->output));
}

bool ser_is_usual_output(const ser_run_report *report, const char *output)
{
    uint64_t sum;
    return ser_sum_lines(output, &sum) && is_usual(report, sum);
}

static size_t count_undisturbed(const ser_run_report *report, const ser_run_trace *like)
{
    size_t count = 0;
    for (size_t i = 0; i < report->traces.count; i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        count += trace->has_output && !trace->violated && (!like || trace->output == like->output);
    }
    return count;
}

/* Does it print the same in most runs in which no block was interrupted? Times and addresses, for
 * instance, are others in each. */
static bool prints_the_same(const ser_run_report *report)
{
    size_t unique = 0;
    for (size_t i = 0; i < report->traces.count; i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        unique += trace->has_output && !trace->violated && count_undisturbed(report, trace) == 1;
    }
    return 4 * unique < count_undisturbed(report, NULL);
}

static void note_felt(ser_bug *bug, bool felt)
{
    static const char printed[] = "the program printed what it never does without an interruption";
    bug->was_felt |= felt;
    if (felt && !bug->consequence)
        bug->consequence = ser_copy_text(printed, sizeof printed - 1);
}

void ser_note_felt_in_runs(ser_run_report *report)
{
    bool tells = prints_the_same(report);
    for (size_t i = 0; i < report->bugs.list.count && tells; i++) {
        ser_bug *bug = &report->bugs.list.items[i];
        const ser_run_trace *trace = &report->traces.items[bug->trace];
        if (bug->status == SER_BUG_OBSERVED && bug->order.count == 0 && trace->has_output &&
            bug->intention != SER_INTENTION_WHOLE)
            note_felt(bug, !is_usual(report, trace->output));
    }
}
