/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/evidence.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "bugs/failures.h"
#include "session/run/evidence/outputs.h"

static bool was_printed_before(const ser_run_report *report, size_t run)
{
    const ser_run_trace *traces = report->traces.items;
    for (size_t i = 0; i < run; i++)
        if (traces[i].has_output && traces[i].output == traces[run].output)
            return true;
    return false;
}

static size_t count_kept(const ser_run_report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->traces.count; i++)
        kept += report->traces.items[i].printed != NULL;
    return kept;
}

static void keep_printed(ser_run_trace *trace, const char *output)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.printed", trace->path);
    if (rename(output, path) == 0)
        trace->printed = ser_copy_text(path, strlen(path));
}

/* A run that ends otherwise than the first one has not done the same, whatever it has printed. */
static bool ends_otherwise(const ser_run_report *report, const ser_run_trace *trace)
{
    const ser_run_trace *first = report->traces.items;
    return trace->exit != first->exit || trace->signal != first->signal ||
           trace->deadlock != first->deadlock;
}

static uint64_t add_ending(const ser_run_report *report, const ser_run_trace *trace)
{
    if (!ends_otherwise(report, trace))
        return trace->output;
    uint64_t ending = (uint64_t)(uint32_t)trace->signal << 32 | (uint32_t)trace->exit;
    return ser_hash_mix(trace->output + 1 + trace->deadlock, ending);
}

void ser_note_printed(ser_run_report *report, const char *output)
{
    enum { MOST_KEPT = 32 };
    size_t last = report->traces.count - 1;
    ser_run_trace *trace = &report->traces.items[last];
    trace->has_output = !trace->cut && ser_sum_lines(output, &trace->output);
    trace->output = add_ending(report, trace);
    trace->prints_news = trace->has_output && !was_printed_before(report, last);
    if (trace->prints_news && count_kept(report) < MOST_KEPT)
        keep_printed(trace, output);
    unlink(output);
}

void ser_remove_printed(ser_run_report *report)
{
    for (size_t i = 0; i < report->traces.count; i++) {
        ser_run_trace *trace = &report->traces.items[i];
        if (trace->printed)
            unlink(trace->printed);
        free(trace->printed);
        trace->printed = NULL;
    }
}

/* So many runs show what a program prints. */
enum { ENOUGH_RUNS = 8 };

static bool was_left_alone(const ser_run_trace *trace)
{
    return trace->has_output && !trace->violated && !trace->entered && !trace->derived;
}

/* What is no bug, since a loop waits there, say, may yet let in who makes the program print what is
 * wrong. So runs in which nobody came between at all are preferred, if there are enough of them. */
static bool are_many_left_alone(const ser_run_report *report)
{
    size_t runs = 0;
    for (size_t i = 0; i < report->traces.count && runs < ENOUGH_RUNS; i++)
        runs += was_left_alone(&report->traces.items[i]);
    return runs == ENOUGH_RUNS;
}

static bool is_undisturbed(const ser_run_trace *trace, bool is_strict)
{
    return is_strict ? was_left_alone(trace) : trace->has_output && !trace->violated;
}

static bool is_usual(const ser_run_report *report, uint64_t output)
{
    bool is_strict = are_many_left_alone(report);
    for (size_t i = 0; i < report->traces.count; i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        if (is_undisturbed(trace, is_strict) && trace->output == output)
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

bool ser_is_usual_run(const ser_run_report *report, size_t run)
{
    const ser_run_trace *trace = &report->traces.items[run];
    return !trace->has_output || is_usual(report, trace->output);
}

bool ser_fails_within(const ser_run_report *report, const ser_run *run, uint32_t block)
{
    const ser_run_trace *first = report->traces.items;
    const ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    if (first->signal || last->cut || last->deadlock || last->interrupted ||
        (!last->signal && last->exit == first->exit))
        return false;
    uint32_t end = ser_find_last_event(run);
    return end && run->block_of[end] == block + 1 && run->blocks.items[block].end == 0;
}

bool ser_is_usual_output(const ser_run_report *report, const char *output)
{
    uint64_t sum;
    return ser_sum_lines(output, &sum) && is_usual(report, sum);
}

/* Files with what runs have printed, of undisturbed ones or of all; 0 if two printed the same. */
static size_t find_unlike(const ser_run_report *report, bool is_any, const char **files,
                          size_t most)
{
    size_t count = 0;
    bool is_strict = are_many_left_alone(report);
    for (size_t i = 0; i < report->traces.count && count < most; i++) {
        const ser_run_trace *trace = &report->traces.items[i];
        if (is_any ? !trace->has_output || trace->derived : !is_undisturbed(trace, is_strict))
            continue;
        if (!trace->printed) /* an earlier one has printed the same */
            return 0;
        files[count++] = trace->printed;
    }
    return count;
}

bool ser_is_unsteady_difference(const ser_run_report *report, bool is_timed, const char *before,
                                const char *after)
{
    enum { FEWEST = 3, MOST = 8 };
    const char *usual[MOST];
    size_t count = find_unlike(report, false, usual, MOST);
    if (count < FEWEST && is_timed)
        count = find_unlike(report, true, usual, MOST);
    return count >= FEWEST && ser_differ_unsteadily(usual, count, before, after);
}

/* Is it the first undisturbed run that printed so? */
static bool is_first_of_kind(const ser_run_report *report, size_t run)
{
    const ser_run_trace *traces = report->traces.items;
    for (size_t i = 0; i < run; i++)
        if (is_undisturbed(&traces[i], false) && traces[i].output == traces[run].output)
            return false;
    return true;
}

/* Does it print one of two things in runs in which no bug happened? Times and addresses, for
 * instance, are others in each, and how often a loop has waited depends on who came between. */
static bool prints_the_same(const ser_run_report *report)
{
    enum { MOST_OUTPUTS = 2 };
    size_t runs = 0, outputs = 0;
    for (size_t i = 0; i < report->traces.count; i++) {
        if (!is_undisturbed(&report->traces.items[i], false))
            continue;
        runs++;
        outputs += is_first_of_kind(report, i);
    }
    return runs >= ENOUGH_RUNS && outputs <= MOST_OUTPUTS;
}

/* The file with the lines of a sum; NULL: it was not kept. */
static const char *find_printed(const ser_run_report *report, uint64_t output)
{
    for (size_t i = 0; i < report->traces.count; i++)
        if (report->traces.items[i].printed && report->traces.items[i].output == output)
            return report->traces.items[i].printed;
    return NULL;
}

/* What the program prints in the first run that nothing has disturbed. */
static const char *find_usual(const ser_run_report *report)
{
    const char *found = NULL;
    bool is_strict = are_many_left_alone(report);
    for (size_t i = 0; i < report->traces.count && !found; i++)
        if (is_undisturbed(&report->traces.items[i], is_strict))
            found = find_printed(report, report->traces.items[i].output);
    return found;
}

/* Where nothing but this speaks for a block it must be more than another order of words. */
static bool prints_other_words(const ser_run_report *report, const ser_run_trace *trace)
{
    const char *usual = find_usual(report), *seen = find_printed(report, trace->output);
    return usual && seen && !ser_have_same_words(usual, seen);
}

static void note_felt(const ser_run_report *report, ser_bug *bug, bool redact)
{
    const ser_run_trace *trace = &report->traces.items[bug->trace];
    const char *done = ends_otherwise(report, trace)
                           ? "the program ended as it never does without an interruption"
                           : "the program printed what it never does without an interruption";
    const char *usual = redact ? NULL : find_usual(report);
    const char *seen = redact ? NULL : find_printed(report, trace->output);
    char text[2048];
    bug->was_felt = true;
    snprintf(text, sizeof text, "%s%s%s%s%s", bug->consequence ? bug->consequence : "",
             bug->consequence ? "; in " : "", bug->consequence ? trace->path : "",
             bug->consequence ? " " : "", done);
    if (usual && seen)
        ser_compare_outputs(usual, seen, text, sizeof text);
    free(bug->consequence);
    bug->consequence = ser_copy_text(text, strlen(text));
}

/* The run fails, and is reported for that in any case: it needs no others to compare it with. */
static bool tells_something(const ser_run_report *report, const ser_run_trace *trace,
                            bool is_steady)
{
    return trace->has_output && (is_steady || ends_otherwise(report, trace)) &&
           !is_usual(report, trace->output);
}

void ser_note_felt_in_runs(ser_run_report *report, bool redact)
{
    bool is_steady = prints_the_same(report);
    for (size_t i = 0; i < report->bugs.list.count; i++) {
        ser_bug *bug = &report->bugs.list.items[i];
        const ser_run_trace *trace = &report->traces.items[bug->trace];
        bool is_of_run = bug->was_observed || bug->order.count == 0;
        if (bug->is_careful && !bug->was_felt && is_of_run && bug->status >= SER_BUG_OBSERVED &&
            tells_something(report, trace, is_steady) &&
            (bug->intention != SER_INTENTION_WHOLE || prints_other_words(report, trace)))
            note_felt(report, bug, redact);
    }
}

void ser_note_last_words(ser_run_report *report)
{
    for (size_t i = 0; i < report->failures.count; i++) {
        ser_failure *failure = &report->failures.items[i];
        const ser_run_trace *trace = &report->traces.items[failure->seen];
        const char *printed = trace->has_output ? find_printed(report, trace->output) : NULL;
        if (failure->kind == SER_FAILURE_SIGNAL && failure->code == SIGABRT && !failure->schedule &&
            printed)
            failure->last_words = ser_last_line(printed);
    }
}
