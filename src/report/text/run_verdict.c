/* SPDX-License-Identifier: MIT */
/*
 * The last line of a report of run: the verdict; before it, what is missing of a partial result.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/run_report.h"

/* Begins a list, or goes on with it. */
static const char *comma(bool *begun)
{
    const char *text = *begun ? ", " : "";
    *begun = true;
    return text;
}

static void print_not_done(const ser_run_report *report, FILE *file)
{
    size_t runs = ser_run_count(report);
    uint64_t blocks = 0, cut = 0;
    bool begun = false;
    for (size_t i = 0; i < runs; i++) {
        blocks += report->traces.items[i].unpredicted;
        cut += report->traces.items[i].cut;
    }
    ser_print(file, "This is a partial result: %s: ", report->stopped);
    if (report->wanted_runs == 0)
        ser_print(file, "%s%zu run%s recorded", comma(&begun), runs, runs == 1 ? "" : "s");
    else if (runs < report->wanted_runs || (!cut && !blocks && !report->not_replayed))
        ser_print(file, "%s%zu of %" PRIu64 " run%s recorded", comma(&begun), runs,
                  report->wanted_runs, report->wanted_runs == 1 ? "" : "s");
    if (cut)
        ser_print(file, "%s%" PRIu64 " run%s recorded or checked only in part", comma(&begun), cut,
                  cut == 1 ? "" : "s");
    if (blocks)
        ser_print(file, "%s%" PRIu64 " block%s not predicted", comma(&begun), blocks,
                  blocks == 1 ? "" : "s");
    if (report->not_replayed)
        ser_print(file, "%s%" PRIu64 " violation%s not replayed", comma(&begun),
                  report->not_replayed, report->not_replayed == 1 ? "" : "s");
    ser_print(file, ".\n");
}

/* "can fail, and can deadlock" */
static const char *describe_failures(const ser_failures *failures)
{
    bool deadlocks = false, fails = false, fails_first = false;
    for (size_t i = 0; i < failures->count; i++) {
        deadlocks |= failures->items[i].kind == SER_FAILURE_DEADLOCK;
        fails |= failures->items[i].kind != SER_FAILURE_DEADLOCK;
        bool is_crash = failures->items[i].kind == SER_FAILURE_SIGNAL ||
                        failures->items[i].kind == SER_FAILURE_EXCEPTION;
        fails_first |= is_crash && failures->items[i].trace == 0 && !failures->items[i].schedule;
    }
    if (fails_first)
        return "fails without our help";
    return !deadlocks ? "can fail" : fails ? "can fail, and can deadlock" : "can deadlock";
}

static void print_found(const ser_run_report *report, FILE *file)
{
    size_t bugs = ser_run_standing(report), places = 0;
    const char *failures = report->failures.count ? describe_failures(&report->failures) : NULL;
    for (size_t i = 0; i < bugs; i++)
        places += ser_bug_places(&report->bugs.list.items[i]);
    if (!bugs) {
        ser_print(file, "failure: the program %s\n", failures);
        return;
    }
    ser_print(file, "violation: %zu place%s not atomic", places, places == 1 ? " is" : "s are");
    if (places > bugs)
        ser_print(file, " (%zu bug%s)", bugs, bugs == 1 ? "" : "s");
    ser_print(file, "%s%s\n", failures ? ", and the program " : "", failures ? failures : "");
}

static void print_undecided(const ser_run_report *report, FILE *file)
{
    bool refused = false;
    uint64_t events = 0;
    for (size_t i = 0; i < ser_run_count(report); i++) {
        refused |= report->traces.items[i].refused != NULL;
        events += report->traces.items[i].size.events;
    }
    if (refused)
        ser_print(file, "undecided: what was recorded could not be analysed\n");
    else if (report->traces.count == 0)
        ser_print(file, "undecided: nothing was recorded\n");
    else if (events == 0 && report->stopped)
        ser_print(file, "undecided: what was recorded was not analysed\n");
    else if (ser_run_threads(report) < 2)
        ser_print(file, "undecided: only one thread ran, so there was nothing to violate\n");
    else
        ser_print(file, "undecided: no violation found, but not everything could be looked at\n");
}

/* Said only of what was looked at. */
static void print_none(const ser_run_report *report, FILE *file)
{
    uint64_t blocks = 0, conflicting = 0;
    int status = report->traces.items[0].exit;
    for (size_t i = 0; i < ser_run_count(report); i++) {
        blocks += report->traces.items[i].size.blocks;
        conflicting += report->traces.items[i].looked.conflicting;
    }
    if (status)
        ser_print(file,
                  "the program ended with status %d without our help; apart from that: ", status);
    else
        ser_print(file, "no violation: ");
    if (blocks == 0)
        ser_print(file, "the run has no atomic blocks (see --atomic)\n");
    else if (conflicting == 0)
        ser_print(file, "no block uses data that another thread changes\n");
    else if (report->minor.list.count)
        ser_print(file, "what is not atomic is probably no bug (--verbose)\n");
    else
        ser_print(file, "no interleaving of what was recorded violates a block\n");
}

void ser_run_verdict_text(const ser_run_report *report, FILE *file)
{
    ser_status verdict = ser_run_verdict(report);
    if (report->stopped)
        print_not_done(report, file);
    if (verdict == SER_VIOLATION)
        print_found(report, file);
    else if (verdict == SER_UNDECIDED)
        print_undecided(report, file);
    else
        print_none(report, file);
}
