/* SPDX-License-Identifier: MIT */
/*
 * Failures of whole runs, for people: for each, once, what happened and where, in which runs, and
 * how to see it again.
 */
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "report/dossier/dossier.h"
#include "report/dossier/plain_names.h"
#include "report/run_report.h"
#include "report/source_line.h"
#include "report/text/dossier_rows.h"
#include "report/text/failure_advice.h"
#include "report/text/wrapped.h"

static void print_command(const ser_run_report *report, FILE *file)
{
    ser_print(file, " --");
    for (char *const *word = report->command; *word; word++) {
        fputc(' ', file);
        ser_print_word(file, *word);
    }
    fputc('\n', file);
}

void ser_run_again_text(const ser_run_report *report, size_t trace, const char *schedule,
                        FILE *file)
{
    ser_print(file, "   To see it again: seriatim replay ");
    ser_print_word(file, report->traces.items[trace].path);
    if (schedule && report->atomic) {
        ser_print(file, " --atomic ");
        ser_print_word(file, report->atomic);
    }
    if (schedule) {
        ser_print(file, " --schedule ");
        ser_print_word(file, schedule);
    }
    print_command(report, file);
}

/* "The program ends with status 1 instead of 0" */
static void print_what(const ser_run_report *report, const ser_failure *failure, FILE *file)
{
    bool by_itself = failure->trace == 0 && !failure->schedule;
    const char *when = by_itself ? "" : " under another schedule";
    if (failure->kind == SER_FAILURE_DEADLOCK)
        ser_print(file, "The program deadlocks: all its threads wait forever.");
    else if (failure->kind == SER_FAILURE_SIGNAL)
        ser_print(file, "The program fails%s: signal %d (%s) ends it.",
                  by_itself ? " without our help" : when, failure->code, strsignal(failure->code));
    else if (failure->kind == SER_FAILURE_EXCEPTION)
        ser_print(file, "An exception that nobody catches ends a thread%s.",
                  by_itself ? " without our help" : when);
    else if (failure->kind == SER_FAILURE_USE_AFTER_FREE)
        ser_print(file, "The program uses memory that was freed.");
    else if (failure->kind == SER_FAILURE_DOUBLE_FREE)
        ser_print(file, "The program frees memory twice.");
    else
        ser_print(file, "The program ends with status %d instead of %d%s.", failure->code,
                  report->traces.items[0].exit, when);
}

/* "T1 waits at a.c:9 for lock y.m, which T2 holds", with the name that the source has. */
static bool print_wait(const char *line, int length, FILE *file)
{
    static const char lock[] = " for lock ", holds[] = ", which T";
    char *text = ser_copy_text(line, (size_t)length);
    char *name = strstr(text, lock), *holder = name ? strstr(name, holds) : NULL;
    if (holder) {
        name += sizeof lock - 1;
        char *raw = ser_copy_text(name, (size_t)(holder - name));
        char *plain = ser_make_plain_name(raw, true);
        ser_print(file, "     %.*s%s%s\n", (int)(name - text), text, plain, holder);
        free(plain);
        free(raw);
    }
    free(text);
    return holder;
}

static void print_waits(const ser_failure *failure, FILE *file)
{
    for (const char *line = failure->waits; *line;) {
        int length = (int)strcspn(line, "\n");
        if (!print_wait(line, length, file))
            ser_print(file, "     %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_last_words(const ser_failure *failure, FILE *file)
{
    if (failure->last_words)
        ser_print(file, "     The last line that it prints: \"%s\"\n", failure->last_words);
}

/* The last step before the end, and the line of source. */
static void print_end(const ser_failure *failure, FILE *file)
{
    if (!*failure->thread)
        return;
    ser_print(file, "     Its last recorded step: %s", failure->thread);
    if (*failure->function)
        ser_print(file, " in %s()", failure->function);
    if (*failure->location)
        ser_print(file, " at %s", ser_short_location(failure->location));
    if (failure->last_step)
        ser_print(file, ": %s", failure->last_step);
    fputc('\n', file);
    char *line = ser_source_line(failure->location);
    if (line && *line)
        ser_print(file, "         %s\n", line);
    free(line);
}

static void print_read(const ser_difference *difference, FILE *file)
{
    char *value = ser_describe_value(difference->value);
    ser_print(file, "reads %s = %s", difference->plain ? difference->plain : difference->variable,
              value);
    free(value);
}

static void print_difference(const ser_difference *difference, FILE *file)
{
    if (!difference->thread)
        return;
    ser_print(file, "     First difference from the first run: %s ", difference->thread);
    if (*difference->variable)
        print_read(difference, file);
    else
        ser_print(file, "goes on");
    if (*difference->location)
        ser_print(file, " at %s", ser_short_location(difference->location));
    if (*difference->writer)
        ser_print(file, ", written by %s", difference->writer);
    if (*difference->writer && *difference->written_at)
        ser_print(file, " at %s", ser_short_location(difference->written_at));
    if (*difference->variable) {
        char *expected = ser_describe_value(difference->expected);
        ser_print(file, ", instead of %s", expected);
        free(expected);
        if (difference->expected_writer)
            ser_print(file, ", written by %s", difference->expected_writer);
        if (difference->expected_writer && *difference->expected_written_at)
            ser_print(file, " at %s", ser_short_location(difference->expected_written_at));
    } else if (*difference->expected_location)
        ser_print(file, ", instead of %s", ser_short_location(difference->expected_location));
    ser_print(file, ".\n");
    char *line = ser_source_line(difference->location);
    if (line && *line)
        ser_print(file, "         %s\n", line);
    free(line);
}

static void print_advice(const ser_failure *failure, FILE *file)
{
    char *advice = ser_failure_make_advice(failure), *text = NULL;
    if (advice && asprintf(&text, "What to change: %s.", advice) < 0)
        ser_out_of_memory(0);
    if (text)
        ser_print_wrapped(file, text, SER_TEXT_WIDTH);
    free(text);
    free(advice);
}

static void print_statuses(const ser_failure *failure, FILE *file)
{
    enum { FEW = 8 };
    if (!failure->others.count)
        return;
    ser_print(file, "     Other runs end with status");
    for (size_t i = 0; i < failure->others.count && i < FEW; i++)
        ser_print(file, "%s %d", i ? "," : "", failure->others.items[i]);
    if (failure->others.count > FEW)
        ser_print(file, " and %zu more", failure->others.count - FEW);
    ser_print(file, ". Does main return a value that it has computed?\n");
}

/* "pct, seed 7, for stl_tree.h:9 before stl_tree.h:7": without an aim that only a library knows. */
static int length_of_schedule(const char *schedule)
{
    const char *aim = strstr(schedule, ", for ");
    return (int)(aim && strstr(aim, " /usr/") ? (size_t)(aim - schedule) : strlen(schedule));
}

static void print_seen(const ser_run_report *report, const ser_failure *failure, FILE *file)
{
    const ser_run_trace *trace = &report->traces.items[failure->seen];
    ser_print(file, "   Seen in %s%s (%.*s)", failure->schedule ? "a replay of " : "", trace->path,
              length_of_schedule(trace->schedule), trace->schedule);
    if (failure->runs > 1)
        ser_print(file, " and %" PRIu64 " more run%s", failure->runs - 1,
                  failure->runs == 2 ? "" : "s");
    ser_print(file, ".\n");
    if (failure->trace != failure->seen)
        ser_print(file, "   Shortened to %" PRIu64 " context switch%s, from %" PRIu64 ": %s\n",
                  failure->switches, failure->switches == 1 ? "" : "es", failure->seen_switches,
                  report->traces.items[failure->trace].path);
    ser_run_again_text(report, failure->trace, failure->schedule, file);
}

void ser_run_caused_text(const ser_run_report *report, const char *cause, FILE *file)
{
    for (size_t i = 0; i < report->failures.count; i++) {
        const ser_failure *failure = &report->failures.items[i];
        if (strcmp(failure->cause, cause) != 0)
            continue;
        ser_print(file, failure->is_beside ? "\n   The same data decides a failure. "
                                           : "\n   It leads to a failure. ");
        print_what(report, failure, file);
        ser_print(file, "  [%s]\n", failure->id);
        print_waits(failure, file);
        print_last_words(failure, file);
        if (failure->is_beside) {
            print_end(failure, file);
            print_difference(&failure->difference, file);
        }
        print_seen(report, failure, file);
    }
}

static void print_failure(const ser_run_report *report, const ser_failure *failure, size_t number,
                          FILE *file)
{
    ser_print(file, "\n%zu. ", number);
    print_what(report, failure, file);
    ser_print(file, "  [%s]\n\n", failure->id);
    print_waits(failure, file);
    print_statuses(failure, file);
    print_last_words(failure, file);
    print_end(failure, file);
    print_difference(&failure->difference, file);
    print_advice(failure, file);
    fputc('\n', file);
    print_seen(report, failure, file);
    ser_run_caused_text(report, failure->id, file);
}

/* One that is reported with its cause, if that is shown. */
static bool has_shown_cause(const ser_run_report *report, const ser_failure *failure)
{
    for (size_t i = 0; *failure->cause && i < ser_run_shown(report); i++)
        if (strcmp(report->bugs.list.items[i].id, failure->cause) == 0)
            return true;
    for (size_t i = 0; *failure->cause && i < report->failures.count; i++)
        if (strcmp(report->failures.items[i].id, failure->cause) == 0)
            return true;
    return false;
}

void ser_run_failures_text(const ser_run_report *report, FILE *file)
{
    size_t number = ser_run_shown(report);
    for (size_t i = 0; i < report->failures.count; i++)
        if (!has_shown_cause(report, &report->failures.items[i]))
            print_failure(report, &report->failures.items[i], ++number, file);
}
