/* SPDX-License-Identifier: MIT */
#include "report/run_report.h"

#include <stdlib.h>
#include <string.h>

static void fini_looked(ser_looked *looked)
{
    for (size_t i = 0; i < looked->functions.count; i++)
        free(looked->functions.items[i]);
    ser_vector_free(&looked->functions);
}

void ser_run_report_fini(ser_run_report *report)
{
    for (size_t i = 0; i < report->traces.count; i++) {
        free(report->traces.items[i].path);
        free(report->traces.items[i].schedule);
        free(report->traces.items[i].printed);
        free(report->traces.items[i].settings);
        free(report->traces.items[i].scheduler);
        free(report->traces.items[i].refused);
        fini_looked(&report->traces.items[i].looked);
    }
    ser_failures_fini(&report->failures);
    ser_unmatched_fini(&report->unmatched);
    ser_vector_free(&report->traces);
    ser_bugs_fini(&report->bugs);
    ser_bugs_fini(&report->minor);
    ser_bugs_fini(&report->spares);
}

static const char *const settlers[SER_SETTLERS] = {
    "static",
#define SER_X(name, help) #name,
    SER_SEARCH_ENGINES(SER_X)
#undef SER_X
        "other",
};

const char *ser_settler_name(size_t settler)
{
    return settlers[settler];
}

void ser_run_trace_count(ser_run_trace *trace, const ser_block_result *result)
{
    size_t settler = 0, bits = 0;
    trace->verdicts[result->verdict]++;
    if (result->verdict == SER_VERDICT_UNKNOWN)
        return;
    while (settler + 1 < SER_SETTLERS && strcmp(settlers[settler], result->engine) != 0)
        settler++;
    trace->settled[settler]++;
    for (uint64_t size = result->segment; size && bits + 1 < SER_SEGMENT_CLASSES; size >>= 1)
        bits++;
    if (result->segment)
        trace->segments[bits]++;
}

size_t ser_run_count(const ser_run_report *report)
{
    size_t count = 0;
    while (count < report->traces.count && !report->traces.items[count].derived)
        count++;
    return count;
}

uint64_t ser_run_threads(const ser_run_report *report)
{
    uint64_t most = 0;
    for (size_t i = 0; i < report->traces.count; i++)
        if (report->traces.items[i].size.threads > most)
            most = report->traces.items[i].size.threads;
    return most;
}

size_t ser_run_shown(const ser_run_report *report)
{
    return report->verbose ? report->bugs.list.count : ser_run_standing(report);
}

size_t ser_run_standing(const ser_run_report *report)
{
    size_t count = report->bugs.list.count;
    while (count > 0 && ser_bug_is_refuted(&report->bugs.list.items[count - 1]))
        count--;
    return count;
}

bool ser_run_is_cut_sample(const ser_run_report *report, size_t trace)
{
    const ser_run_trace *run = &report->traces.items[trace];
    return trace > 0 && report->wanted_runs == 0 && !run->derived && !run->refused &&
           !run->overran && !run->deadlock && (run->cut || run->undecided);
}

ser_status ser_run_verdict(const ser_run_report *report)
{
    if (ser_run_standing(report) || report->failures.count)
        return SER_VIOLATION;
    if (report->stopped || ser_run_threads(report) < 2)
        return SER_UNDECIDED;
    if (report->empty_runs && report->wanted_runs) /* so many were asked for */
        return SER_UNDECIDED;
    for (size_t i = 0; i < ser_run_count(report); i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        bool is_open = trace->refused || trace->undecided || trace->cut || trace->deadlock;
        if (is_open && !ser_run_is_cut_sample(report, i))
            return SER_UNDECIDED;
    }
    return report->traces.count ? SER_OK : SER_UNDECIDED;
}
