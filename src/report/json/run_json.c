/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/run_report.h"
#include "report/source_line.h"

static void write_text_or_null(ser_json *json, const char *key, const char *text)
{
    ser_json_text_or_null_at(json, key, text && *text ? text : NULL);
}

static void write_place(ser_json *json, const char *location)
{
    uint32_t line = 0;
    int length = ser_split_location(location, &line);
    ser_json_key(json, "file");
    if (length)
        ser_json_bytes(json, location, (size_t)length);
    else
        ser_json_null(json);
    ser_json_key(json, "line");
    if (length)
        ser_json_number(json, line);
    else
        ser_json_null(json);
}

/* Nulls without a run. */
static void write_exit(const ser_run_trace *trace, ser_json *json)
{
    ser_json_key(json, "exit");
    if (trace && !trace->signal)
        ser_json_number(json, (uint64_t)trace->exit);
    else
        ser_json_null(json);
    ser_json_key(json, "signal");
    if (trace && trace->signal)
        ser_json_number(json, (uint64_t)trace->signal);
    else
        ser_json_null(json);
}

static void write_program(const ser_run_report *report, ser_json *json)
{
    const ser_run_trace *first = report->traces.count ? &report->traces.items[0] : NULL;
    ser_json_key(json, "program");
    ser_json_open_object(json);
    ser_json_key(json, "argv");
    ser_json_open_array(json);
    for (char *const *word = report->command; *word; word++)
        ser_json_text(json, *word);
    ser_json_close_array(json);
    write_exit(first, json);
    ser_json_close_object(json);
}

/* What decided blocks, and how large their segments were, by powers of two. */
static void write_settling(const ser_run_trace *trace, ser_json *json)
{
    size_t classes = SER_SEGMENT_CLASSES;
    ser_json_key(json, "settled");
    ser_json_open_object(json);
    for (size_t i = 0; i < SER_SETTLERS; i++)
        if (trace->settled[i])
            ser_json_number_at(json, ser_settler_name(i), trace->settled[i]);
    ser_json_close_object(json);
    while (classes > 0 && !trace->segments[classes - 1])
        classes--;
    ser_json_key(json, "segments");
    ser_json_open_array(json);
    for (size_t i = 0; i < classes; i++)
        ser_json_number(json, trace->segments[i]);
    ser_json_close_array(json);
    ser_json_number_at(json, "orders", trace->orders);
}

static void write_trace(const ser_run_trace *trace, ser_json *json)
{
    ser_json_open_object(json);
    ser_describe_trace_fields_json(json, trace->path, &trace->size);
    ser_json_text_at(json, "schedule", trace->schedule);
    ser_json_number_at(json, "undecided", trace->undecided);
    ser_json_number_at(json, "conflicting", trace->looked.conflicting);
    ser_json_number_at(json, "static", trace->verdicts[SER_VERDICT_STATIC]);
    ser_json_number_at(json, "none", trace->verdicts[SER_VERDICT_NONE]);
    ser_json_number_at(json, "violation", trace->verdicts[SER_VERDICT_VIOLATION]);
    write_settling(trace, json);
    ser_json_number_at(json, "skipped", trace->skipped);
    ser_json_number_at(json, "retried", trace->retried);
    ser_json_bool_at(json, "deadlock", trace->deadlock);
    ser_json_bool_at(json, "partial", trace->cut);
    ser_json_bool_at(json, "replay", trace->derived);
    write_text_or_null(json, "refused", trace->refused);
    ser_json_close_object(json);
}

/* How to reproduce the run, and how it ended. */
static void write_run(const ser_run_trace *trace, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_number_at(json, "seed", trace->seed);
    write_text_or_null(json, "scheduler", trace->scheduler);
    write_exit(trace, json);
    write_text_or_null(json, "trace", trace->removed ? NULL : trace->path);
    ser_json_bool_at(json, "deadlock", trace->deadlock);
    ser_json_bool_at(json, "overran", trace->overran);
    ser_json_bool_at(json, "repeats", trace->repeats);
    ser_json_real_at(json, "seconds", trace->seconds);
    ser_json_close_object(json);
}

static void write_not_done(const ser_run_report *report, ser_json *json)
{
    uint64_t blocks = 0;
    ser_json_bool_at(json, "partial", report->stopped != NULL);
    if (!report->stopped)
        return;
    for (size_t i = 0; i < report->traces.count; i++)
        blocks += report->traces.items[i].unpredicted;
    ser_json_key(json, "notDone");
    ser_json_open_object(json);
    ser_json_text_at(json, "reason", report->stopped);
    ser_json_key(json, "runs");
    if (report->wanted_runs)
        ser_json_number(json, report->wanted_runs - ser_run_count(report));
    else
        ser_json_null(json);
    ser_json_number_at(json, "blocks", blocks);
    ser_json_number_at(json, "violations", report->not_replayed);
    ser_json_close_object(json);
}

static void write_access(const ser_bug_access *access, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "thread", access->thread);
    ser_json_text_at(json, "operation", access->operation);
    ser_json_text_at(json, "variable", access->variable);
    write_text_or_null(json, "function", access->function);
    write_place(json, access->location);
    ser_json_bool_at(json, "inBlock", access->in_block);
    ser_json_bool_at(json, "broken", access->broken);
    ser_json_close_object(json);
}

/* What replays it, and names it. */
static void write_other(const ser_run_report *report, const ser_bug *bug, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "id", bug->id);
    ser_json_text_at(json, "status", ser_bug_status_name(bug->status));
    write_text_or_null(json, "function", bug->function);
    write_place(json, bug->location);
    ser_json_text_at(json, "trace", report->traces.items[bug->trace].path);
    ser_json_number_at(json, "block", bug->block);
    write_text_or_null(json, "schedule", bug->schedule);
    ser_json_bool_at(json, "follows", bug->follows != NULL);
    ser_json_key(json, "accesses");
    ser_json_open_array(json);
    for (size_t i = 0; i < bug->accesses.count; i++)
        write_access(&bug->accesses.items[i], json);
    ser_json_close_array(json);
    ser_json_close_object(json);
}

static void write_others(const ser_run_report *report, const ser_bug *bug, ser_json *json)
{
    ser_json_key(json, "others");
    ser_json_open_array(json);
    for (size_t i = 0; i < bug->others.count; i++)
        write_other(report, &bug->others.items[i], json);
    ser_json_close_array(json);
}

static void write_bug(const ser_run_report *report, const ser_bug *bug, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "id", bug->id);
    ser_json_text_at(json, "status", ser_bug_status_name(bug->status));
    ser_json_text_at(json, "model", ser_model_name(bug->model));
    ser_json_text_at(json, "atomic", ser_intention_name(bug->intention));
    write_text_or_null(json, "label", bug->label);
    write_text_or_null(json, "function", bug->function);
    write_place(json, bug->location);
    ser_json_key(json, "variables");
    ser_json_open_array(json);
    for (size_t i = 0; i < bug->variables.count; i++)
        ser_json_text(json, bug->variables.items[i]);
    ser_json_close_array(json);
    ser_json_text_at(json, "trace", report->traces.items[bug->trace].path);
    ser_json_number_at(json, "block", bug->block);
    ser_json_number_at(json, "blocks", bug->blocks);
    write_text_or_null(json, "schedule", bug->schedule);
    write_text_or_null(json, "consequence", bug->consequence);
    write_text_or_null(json, "memoryError", ser_bug_memory_error(bug));
    write_text_or_null(json, "reason", bug->reason);
    ser_json_key(json, "accesses");
    ser_json_open_array(json);
    for (size_t i = 0; i < bug->accesses.count; i++)
        write_access(&bug->accesses.items[i], json);
    ser_json_close_array(json);
    write_others(report, bug, json);
    ser_json_close_object(json);
}

static const char *verdict_name(const ser_run_report *report)
{
    ser_status verdict = ser_run_verdict(report);
    if (verdict == SER_VIOLATION)
        return "violation";
    return verdict == SER_UNDECIDED ? "undecided" : "none";
}

/* --- failures ----------------------------------------------------------------- */

static void write_waits(const ser_failure *failure, ser_json *json)
{
    ser_json_key(json, "waits");
    ser_json_open_array(json);
    for (const char *line = failure->waits; *line;) {
        size_t length = strcspn(line, "\n");
        ser_json_bytes(json, line, length);
        line += length + (line[length] == '\n');
    }
    ser_json_close_array(json);
}

static void write_ending(const ser_failure *failure, ser_json *json)
{
    ser_json_key(json, "exit");
    if (failure->kind == SER_FAILURE_EXIT)
        ser_json_number(json, (uint64_t)failure->code);
    else
        ser_json_null(json);
    ser_json_key(json, "signal");
    if (failure->kind == SER_FAILURE_SIGNAL)
        ser_json_number(json, (uint64_t)failure->code);
    else
        ser_json_null(json);
}

/* Null if the run is as the first one, or was not compared with it. */
static void write_difference(const ser_difference *difference, ser_json *json)
{
    ser_json_key(json, "difference");
    if (!difference->thread) {
        ser_json_null(json);
        return;
    }
    ser_json_open_object(json);
    ser_json_text_at(json, "thread", difference->thread);
    write_text_or_null(json, "location", difference->location);
    write_text_or_null(json, "variable", difference->variable);
    if (*difference->variable) {
        ser_json_number_at(json, "value", difference->value);
        ser_json_number_at(json, "expected", difference->expected);
        write_text_or_null(json, "writer", difference->writer);
        write_text_or_null(json, "written_at", difference->written_at);
    }
    write_text_or_null(json, "expected_location", difference->expected_location);
    ser_json_close_object(json);
}

/* Further statuses that are the same failure. */
static void write_statuses(const ser_failure *failure, ser_json *json)
{
    if (!failure->others.count)
        return;
    ser_json_key(json, "otherStatuses");
    ser_json_open_array(json);
    for (size_t i = 0; i < failure->others.count; i++)
        ser_json_number(json, (uint64_t)failure->others.items[i]);
    ser_json_close_array(json);
}

static void write_failure(const ser_run_report *report, const ser_failure *failure, ser_json *json)
{
    const ser_run_trace *trace = &report->traces.items[failure->seen];
    ser_json_open_object(json);
    ser_json_text_at(json, "id", failure->id);
    ser_json_text_at(json, "kind", ser_failure_kind_name(failure->kind));
    ser_json_text_at(json, "status", failure->schedule ? "confirmed" : "observed");
    write_ending(failure, json);
    write_text_or_null(json, "thread", failure->thread);
    write_text_or_null(json, "function", failure->function);
    write_place(json, failure->location);
    write_text_or_null(json, "lastLine", failure->last_words);
    write_text_or_null(json, "schedule", failure->schedule);
    write_text_or_null(json, "cause", failure->cause);
    ser_json_bool_at(json, "sameData", failure->is_beside && *failure->cause);
    ser_json_number_at(json, "seed", trace->seed);
    write_text_or_null(json, "scheduler", trace->scheduler);
    ser_json_text_at(json, "trace", report->traces.items[failure->trace].path);
    ser_json_text_at(json, "seenIn", trace->path);
    ser_json_number_at(json, "switches", failure->switches);
    ser_json_number_at(json, "runs", failure->runs);
    write_waits(failure, json);
    write_statuses(failure, json);
    write_difference(&failure->difference, json);
    ser_json_close_object(json);
}

static void write_failures(const ser_run_report *report, ser_json *json)
{
    ser_json_key(json, "failures");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->failures.count; i++)
        write_failure(report, &report->failures.items[i], json);
    ser_json_close_array(json);
}

/* Lines of --atomic FILE that match no function in any run. */
static void write_unmatched(const ser_run_report *report, ser_json *json)
{
    ser_json_key(json, "unmatched");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->unmatched.list.count; i++)
        ser_json_text(json, report->unmatched.list.items[i].line);
    ser_json_close_array(json);
}

void ser_run_report_json(const ser_run_report *report, ser_json *json)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "command", report->name);
    ser_json_text_at(json, "verdict", verdict_name(report));
    write_not_done(report, json);
    write_text_or_null(json, "atomic", report->atomic);
    write_program(report, json);
    ser_json_key(json, "traces");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->traces.count; i++)
        write_trace(&report->traces.items[i], json);
    ser_json_close_array(json);
    ser_json_key(json, "runs");
    ser_json_open_array(json);
    for (size_t i = 0; i < ser_run_count(report); i++)
        write_run(&report->traces.items[i], json);
    ser_json_close_array(json);
    ser_json_key(json, "violations");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->bugs.list.count; i++)
        write_bug(report, &report->bugs.list.items[i], json);
    ser_json_close_array(json);
    write_failures(report, json);
    ser_json_key(json, "candidates");
    ser_json_open_object(json);
    ser_json_number_at(json, "shown", report->candidates.shown);
    ser_json_number_at(json, "refuted", report->candidates.refuted);
    ser_json_number_at(json, "untested", report->candidates.untested);
    ser_json_close_object(json);
    ser_json_number_at(json, "suppressed", report->suppressed);
    write_unmatched(report, json);
    ser_json_number_at(json, "notBugs", report->minor.list.count);
    ser_json_close_object(json);
}
