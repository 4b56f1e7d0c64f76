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
    return last->prints_news && shows != last &&
           (!shows->prints_news || is_usual(report, shows->output));
}

bool ser_is_usual_output(const ser_run_report *report, const char *output)
{
    uint64_t sum;
    return ser_sum_lines(output, &sum) && is_usual(report, sum);
}
