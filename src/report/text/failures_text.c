/* SPDX-License-Identifier: MIT */
/* Failures of whole runs: who waits where for what, in which runs, and how to see it again. */
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "report/run_report.h"

static void print_command(const ser_run_report *report, FILE *file)
{
    ser_print(file, " --");
    for (char *const *word = report->command; *word; word++)
        ser_print(file, " %s", *word);
    fputc('\n', file);
}

static void print_again(const ser_run_report *report, const ser_failure *failure, FILE *file)
{
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    if (failure->schedule) {
        ser_print(file, "   To see it again: seriatim replay %s%s%s --schedule %s", trace->path,
                  report->atomic ? " --atomic " : "", report->atomic ? report->atomic : "",
                  failure->schedule);
    } else if (!trace->settings) {
        ser_print(file, "   The seed alone does not bring it back: try more runs.\n");
        return;
    } else {
        ser_print(file, "   To see it again: seriatim record --seed %" PRIu64, trace->seed);
        if (trace->scheduler)
            ser_print(file, " --scheduler %s", trace->scheduler);
        if (trace->quantum)
            ser_print(file, " --quantum %" PRIu64, trace->quantum);
        if (trace->depth)
            ser_print(file, " --depth %" PRIu64, trace->depth);
    }
    print_command(report, file);
}

static void print_failure(const ser_run_report *report, size_t number, FILE *file)
{
    const ser_failure *failure = &report->failures.items[number];
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    ser_print(file, "\n%zu. The program deadlocks: all its threads wait for ever.  [%s]\n\n",
              report->bugs.list.count + number + 1, failure->id);
    for (const char *line = failure->waits; *line;) {
        int length = (int)strcspn(line, "\n");
        ser_print(file, "     %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    ser_print(file, "\n   Seen in %s%s (%s)", failure->schedule ? "a replay of " : "", trace->path,
              trace->schedule);
    if (failure->runs > 1)
        ser_print(file, " and %" PRIu64 " more run%s", failure->runs - 1,
                  failure->runs == 2 ? "" : "s");
    ser_print(file, ".\n");
    print_again(report, failure, file);
}

void ser_run_failures_text(const ser_run_report *report, FILE *file)
{
    for (size_t i = 0; i < report->failures.count; i++)
        print_failure(report, i, file);
}
