/* SPDX-License-Identifier: MIT */
/*
 * What a report of run says about what was looked at: kinds of blocks, conflicts, names of a file
 * that match nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "report/run_report.h"
#include "report/source_line.h"

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
    static const char *const nouns[] = {
        [SER_BLOCK_MARKED] = "marked block",   [SER_BLOCK_LOCK] = "critical section",
        [SER_BLOCK_CALL] = "function call",    [SER_BLOCK_COMPOUND] = "assignment",
        [SER_BLOCK_ROUND] = "round of a loop", [SER_BLOCK_CHECK] = "pair of dependent accesses",
        [SER_BLOCK_WHOLE] = "whole thread"};
    const ser_looked *looked = &trace->looked;
    const char *before = "  looked at: ";
    for (int kind = SER_BLOCK_MARKED; kind <= SER_BLOCK_WHOLE; kind++) {
        if (!looked->kinds[kind])
            continue;
        ser_print(file, "%s", before);
        before = ", ";
        if (kind == SER_BLOCK_ROUND && looked->kinds[kind] > 1)
            ser_print(file, "%" PRIu64 " rounds of loops", looked->kinds[kind]);
        else if (kind == SER_BLOCK_CHECK && looked->kinds[kind] > 1)
            ser_print(file, "%" PRIu64 " pairs of dependent accesses", looked->kinds[kind]);
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

static void print_minor(const ser_bug *bug, FILE *file)
{
    ser_print(file, "  %s%s", *bug->function ? bug->function : "a block",
              *bug->function ? "()" : "");
    if (*bug->location)
        ser_print(file, " (%s)", bug->location);
    ser_print(file, ": %s\n", bug->consequence);
}

/* What is no bug, and what the program has refuted. */
void ser_run_uncounted_text(const ser_run_report *report, FILE *file)
{
    size_t minor = report->minor.list.count;
    size_t refuted = report->bugs.list.count - ser_run_standing(report);
    if (minor || refuted)
        fputc('\n', file);
    if (minor) {
        ser_describe_count(file, minor, "place");
        ser_print(file, " %s not atomic by the definition, but probably no bug%s\n",
                  minor == 1 ? "is" : "are", report->verbose ? ":" : " (--verbose)");
    }
    for (size_t i = 0; report->verbose && i < minor; i++)
        print_minor(&report->minor.list.items[i], file);
    if (refuted) {
        ser_describe_count(file, refuted, "predicted violation");
        ser_print(file, " %s refuted by the program%s\n", refuted == 1 ? "was" : "were",
                  report->verbose ? "" : " (--verbose)");
    }
}

/* Where a variable's object was allocated: "bank.c:12"; the recorder says so in its name. */
static const char *allocation_of(const char *variable, int *length)
{
    static const char mark[] = ", allocated at ";
    const char *found = strstr(variable, mark);
    *length = found ? (int)strcspn(found + sizeof mark - 1, " ") : 0;
    return found ? found + sizeof mark - 1 : "";
}

void ser_run_memory_error_text(const ser_bug *bug, FILE *file)
{
    const ser_bug_access *freed = NULL, *used = NULL;
    int length = 0;
    if (!ser_bug_memory_error(bug))
        return;
    for (size_t i = 0; i < bug->accesses.count && !used; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        if (freed && strcmp(access->variable, freed->variable) == 0 &&
            strcmp(access->thread, freed->thread) != 0)
            used = access;
        else if (access->frees)
            freed = access;
    }
    ser_print(file, "   This is a %s", ser_bug_memory_error(bug));
    if (used) {
        const char *allocation = allocation_of(freed->variable, &length);
        ser_print(file, ": %s%.*s%sfreed at %s, %s at %s", length ? "allocated at " : "", length,
                  allocation, length ? ", " : "", ser_brief_location(freed->location),
                  used->frees ? "freed again" : "used", ser_brief_location(used->location));
    }
    ser_print(file, ".\n");
}
