/* SPDX-License-Identifier: MIT */
/*
 * What ran; then each bug: which code, what happens to it in which order, with lines of
 * source, and the whole interleaving; what to do next; the verdict.
 */
#include <inttypes.h>
#include <string.h>

#include "base/output/log.h"
#include "base/output/print.h"
#include "report/run_report.h"
#include "report/source_line.h"
#include "report/text/dossier_rows.h"
#include "report/text/run_advice.h"
#include "report/text/run_others.h"
#include "report/text/wrapped.h"

/* Failures have a section of their own. */
static bool is_notable(const ser_run_trace *trace)
{
    return trace->refused || trace->overran || trace->cut || trace->undecided;
}

/* A run that did not end, where others did, may hang. */
static void print_overrun(const ser_run_report *report, const ser_run_trace *trace, FILE *file)
{
    double longest = 0;
    for (size_t i = 0; i < report->traces.count; i++) {
        const ser_run_trace *other = &report->traces.items[i];
        if (!other->cut && other->seconds > longest)
            longest = other->seconds;
    }
    ser_print(file, "  the program exceeded its time limit (--run-limit%s) and was ended\n",
              strcmp(report->name, "explore") == 0 ? ", --seconds" : "");
    if (longest > 0 && trace->seconds > longest)
        ser_print(file,
                  "  after %.1f seconds; the longest of the others ended after %.1f: this one may "
                  "hang\n",
                  trace->seconds, longest);
}

/* Of many runs only those that differ from the first. A run that may hang is a result, and is
 * printed whatever else is not. */
static bool is_printed(const ser_run_report *report, size_t i)
{
    const ser_run_trace *trace = &report->traces.items[i];
    if (ser_log_is_quiet())
        return trace->overran && !trace->deadlock;
    return i == 0 || report->wanted_runs != 0 ||
           (is_notable(trace) && !ser_run_is_cut_sample(report, i));
}

static void print_traces(const ser_run_report *report, FILE *file)
{
    for (size_t i = 0; i < ser_run_count(report); i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        if (!is_printed(report, i))
            continue;
        ser_describe_recorded(file, trace->path, &trace->size, trace->refused);
        if (i == 0 && !ser_log_is_quiet())
            ser_run_looked_text(trace, file);
        if (trace->deadlock)
            ser_print(file, "  the program deadlocked and was ended\n");
        else if (trace->overran)
            print_overrun(report, trace, file);
        else if (trace->signal)
            ser_print(file, "  the program was ended by signal %d\n", trace->signal);
        else if (trace->exit)
            ser_print(file, "  the program ended with status %d\n", trace->exit);
        if (trace->cut)
            ser_print(file, "  only a part of the run was recorded or analysed\n");
        if (trace->undecided) {
            fputs("  ", file);
            ser_describe_count(file, trace->undecided, "block");
            ser_print(file, " stayed undecided\n");
        }
        if (trace->skipped) {
            fputs("  ", file);
            ser_describe_count(file, trace->skipped, "more block");
            ser_print(file, " of code reported below were not analysed\n");
        }
        if (trace->retried) {
            fputs("  ", file);
            ser_describe_count(file, trace->retried, "block");
            ser_print(file, " let others in between, but not to data that both use\n");
        }
    }
}

static int widest(const ser_bug *bug, size_t offset)
{
    size_t width = 0;
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const char *const *text = (const void *)((const char *)&bug->accesses.items[i] + offset);
        if (strlen(*text) > width)
            width = strlen(*text);
    }
    return (int)width;
}

/* Where there is no interleaving: each access, and below it the line of source. */
static void print_accesses(const ser_bug *bug, FILE *file)
{
    bool named = bug->accesses.count && bug->accesses.items[0].plain;
    int thread = widest(bug, offsetof(ser_bug_access, thread));
    int operation = widest(bug, offsetof(ser_bug_access, operation));
    int variable =
        widest(bug, named ? offsetof(ser_bug_access, plain) : offsetof(ser_bug_access, variable));
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        ser_print(file, "   %c %-*s  %-*s  %-*s  %s", access->in_block ? '|' : ' ', thread,
                  access->thread, operation, access->operation, variable,
                  named ? access->plain : access->variable, ser_brief_location(access->location));
        if (*access->function)
            ser_print(file, " in %s()", access->function);
        fputc('\n', file);
        char *line = ser_source_line(access->location);
        if (line && *line)
            ser_print(file, "   %c %*s    %s\n", access->in_block ? '|' : ' ', thread, "", line);
        free(line);
    }
}

static const char *how_it_was_seen(const ser_bug *bug)
{
    if (bug->status == SER_BUG_OBSERVED && !bug->was_observed)
        return "Another recorded run was interrupted; the steps of this one can happen in this "
               "order";
    if (bug->was_observed)
        return bug->status == SER_BUG_CONFIRMED
                   ? "In the recorded run it was interrupted in this order, and again in a replay"
                   : "In the recorded run it was interrupted, in this order";
    if (bug->trace > 0) /* what else went wrong there is not known here */
        return bug->status == SER_BUG_CONFIRMED
                   ? "It was not interrupted in the recorded run; replay forced this order"
                   : "It was not interrupted in the recorded run; its steps can also happen in "
                     "this order";
    return bug->status == SER_BUG_CONFIRMED
               ? "The recorded run was correct; replay forced this order"
               : "The recorded run was correct; its steps can also happen in this order";
}

/* What came of it, or why nothing did. An observed violation needs no replay to be one. */
static void print_consequence(const ser_bug *bug, FILE *file)
{
    static const char *const labels[] = {[SER_BUG_PREDICTED] = "Not tried",
                                         [SER_BUG_NOT_CONFIRMED] = "Not confirmed",
                                         [SER_BUG_OBSERVED] = "Observed",
                                         [SER_BUG_CONFIRMED] = "Confirmed"};
    bool is_told = bug->status != SER_BUG_OBSERVED || !bug->schedule || bug->was_felt;
    if (bug->consequence && is_told)
        ser_print(file, "   %s: %s\n", labels[bug->status], bug->consequence);
}

static void print_bug(const ser_run_report *report, size_t number, FILE *file)
{
    const ser_bug *bug = &report->bugs.list.items[number];
    ser_print(file, "\n%zu. ", number + 1);
    ser_run_block_text(bug, file);
    ser_print(file, " is not atomic.  [%s]\n", bug->id);
    if (bug->lead)
        ser_print_wrapped(file, bug->lead, SER_TEXT_WIDTH);
    ser_run_memory_error_text(bug, file);
    print_consequence(bug, file);
    ser_run_advice_text(bug, file);
    ser_print(file, "   %s (| marks the block):\n\n", how_it_was_seen(bug));
    if (bug->interleaving)
        ser_print_made(file, bug->interleaving);
    else
        print_accesses(bug, file);
    ser_run_others_text(bug, file);
    if (bug->blocks > 1 && !report->orders)
        ser_print(file, "\n   The same happens to %" PRIu64 " more block%s of this run%s.\n",
                  bug->blocks - 1, bug->blocks == 2 ? "" : "s",
                  report->traces.count > 1 ? " and the others" : "");
    fputc('\n', file);
    if (bug->schedule)
        ser_print(file, "   Schedule: %s\n", bug->schedule);
    else
        ser_run_again_text(report, bug->trace, NULL, file);
    ser_run_caused_text(report, bug->id, file);
}

/* Does each entry say what to change? */
static bool are_advised(const ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count; i++)
        if (!bugs->list.items[i].advice && !bugs->list.items[i].check)
            return false;
    return true;
}

static void print_next_steps(const ser_run_report *report, FILE *file)
{
    const ser_bug *bug = &report->bugs.list.items[0];
    ser_print(file, "\nNext: %s; or, if a block need not be atomic, exclude it with\n",
              are_advised(&report->bugs)
                  ? "change what is said above"
                  : "make each block one critical section, with one lock that every other user of\n"
                    "the same data takes as well");
    ser_print(file, "--atomic FILE (function names, one per line, `-` in front to exclude).\n"
                    "All blocks of this run: seriatim predict --verbose --atomic ");
    ser_print_word(file, report->atomic ? report->atomic : "auto");
    ser_print(file, " ");
    ser_print_word(file, report->traces.items[bug->trace].path);
    ser_print(file, "\n");
    for (size_t i = 0; i < report->bugs.list.count; i++) {
        bug = &report->bugs.list.items[i];
        if (!bug->schedule)
            continue;
        ser_print(file, "\n");
        ser_describe_replay(file, report->traces.items[bug->trace].path, report->atomic);
        ser_print(file, " --schedule ");
        ser_print_word(file, bug->schedule);
        ser_print(file, " --");
        for (char *const *word = report->command; *word; word++) {
            ser_print(file, " ");
            ser_print_word(file, *word);
        }
        ser_print(file, "\n");
        return;
    }
}

static void print_candidates(const ser_run_report *report, FILE *file)
{
    const ser_candidate_counts *counts = &report->candidates;
    uint64_t all = counts->shown + counts->refuted + counts->untested;
    if (!all)
        return;
    ser_print(file,
              "%" PRIu64 " candidate%s replayed: %" PRIu64 " confirmed, %" PRIu64
              " refuted, %" PRIu64 " untested\n",
              all, all == 1 ? " was" : "s were", counts->shown, counts->refuted, counts->untested);
    size_t derived = 0;
    for (size_t i = ser_run_count(report); i < report->traces.count; i++)
        derived += !report->traces.items[i].shortened;
    if (derived)
        ser_print(file, "Replays that took another path were predicted from: %zu\n", derived);
}

static void print_run_count(const ser_run_report *report, FILE *file)
{
    uint64_t cut = 0;
    ser_print(file, "%zu runs in all, with %" PRIu64 " orders of conflicting places\n",
              ser_run_count(report), report->orders);
    for (size_t i = 0; i < ser_run_count(report); i++)
        cut += ser_run_is_cut_sample(report, i);
    if (!cut || ser_log_is_quiet())
        return;
    ser_describe_count(file, cut, "further run");
    ser_print(file, " %s cut short by %s\n", cut == 1 ? "was" : "were",
              strcmp(report->name, "explore") == 0 ? "--seconds" : "--effort");
}

static void print_empty_runs(const ser_run_report *report, FILE *file)
{
    if (!report->empty_runs)
        return;
    ser_describe_count(file, report->empty_runs, "further run");
    ser_print(file, " ended before anything was recorded\n");
}

void ser_run_report_text(const ser_run_report *report, FILE *file)
{
    print_traces(report, file);
    ser_run_unmatched_text(report, file);
    if (!ser_log_is_quiet())
        print_candidates(report, file);
    if (report->orders)
        print_run_count(report, file);
    print_empty_runs(report, file);
    size_t shown = ser_run_shown(report);
    for (size_t i = 0; i < shown; i++)
        print_bug(report, i, file);
    ser_run_failures_text(report, file);
    ser_run_uncounted_text(report, file);
    if (shown)
        print_next_steps(report, file);
    else
        fputc('\n', file);
    if (report->suppressed) {
        ser_describe_count(file, report->suppressed, "finding");
        ser_print(file, " %s suppressed (--suppress, --baseline)\n",
                  report->suppressed == 1 ? "is" : "are");
    }
    ser_run_verdict_text(report, file);
}
