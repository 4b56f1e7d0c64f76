/* SPDX-License-Identifier: MIT */
/*
 * What a report of run says about what was looked at: kinds of blocks, conflicts, names of a file
 * that match nothing.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/run_report.h"

static void print_functions(const ser_looked *looked, FILE *file)
{
    for (size_t i = 0; i < looked->functions.count; i++)
        ser_print(file, "%s%s", i ? ", " : " (", looked->functions.items[i]);
    if (looked->more_functions)
        ser_print(file, ", %" PRIu64 " more", looked->more_functions);
    if (looked->functions.count)
        ser_print(file, ")");
}

void ser_run_looked_text(const ser_run_trace *trace, FILE *file)
{
    static const char *const nouns[] = {[SER_BLOCK_MARKED] = "marked block",
                                        [SER_BLOCK_LOCK] = "critical section",
                                        [SER_BLOCK_CALL] = "function call",
                                        [SER_BLOCK_COMPOUND] = "assignment",
                                        [SER_BLOCK_ROUND] = "round of a loop"};
    const ser_looked *looked = &trace->looked;
    const char *before = "  looked at: ";
    for (int kind = SER_BLOCK_MARKED; kind <= SER_BLOCK_ROUND; kind++) {
        if (!looked->kinds[kind])
            continue;
        fputs(before, file);
        before = ", ";
        if (kind == SER_BLOCK_ROUND && looked->kinds[kind] > 1)
            ser_print(file, "%" PRIu64 " rounds of loops", looked->kinds[kind]);
        else
            ser_describe_count(file, looked->kinds[kind], nouns[kind]);
        if (kind == SER_BLOCK_CALL)
            print_functions(looked, file);
    }
    if (trace->size.blocks)
        ser_print(file, "; %" PRIu64 " with a conflict with another thread\n", looked->conflicting);
}

void ser_run_unmatched_text(const ser_run_report *report, FILE *file)
{
    if (report->unmatched.list.count == report->unmatched.lines)
        return; /* the error says so */
    for (size_t i = 0; i < report->unmatched.list.count; i++) {
        const ser_unmatched_line *line = &report->unmatched.list.items[i];
        ser_print(file, "No function of the recorded run%s matches '%s' of %s",
                  ser_run_count(report) == 1 ? "" : "s", line->line, report->atomic);
        if (line->nearest)
            ser_print(file, "; did you mean '%s'?", line->nearest);
        ser_print(file, "\n");
    }
}
