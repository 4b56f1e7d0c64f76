/* SPDX-License-Identifier: MIT */
#include "session/run/conclude.h"

#include <string.h>

#include "base/interrupt.h"
#include "bugs/causes.h"
#include "bugs/endings.h"
#include "report/text/dossier_rows.h"
#include "session/run/candidates/candidates.h"
#include "session/run/confirm.h"
#include "session/run/evidence/evidence.h"
#include "session/run/evidence/spares.h"
#include "session/run/judge/harmless.h"
#include "session/run/judge/origin.h"
#include "session/run/once.h"
#include "session/run/shorten.h"
#include "session/run/survey/unmatched.h"
#include "session/surroundings/redact.h"

static uint64_t count_not_replayed(const ser_run_job *job)
{
    uint64_t count = 0;
    for (size_t i = 0; i < job->report.bugs.list.count; i++) {
        const ser_bug *bug = &job->report.bugs.list.items[i];
        count += bug->schedule && !bug->consequence;
    }
    return job->options.no_replay ? 0 : count;
}

/* Has a deadline kept us from something? Candidates and further runs are never all of them. */
static bool is_short_of_time(const ser_run_job *job)
{
    const ser_run_report *report = &job->report;
    bool unpredicted = report->traces.count && report->traces.items[0].unpredicted;
    return job->options.haste.times > 0 && (unpredicted || report->not_replayed > 0);
}

/* Is the report incomplete only because time ran out? */
static void note_what_is_missing(ser_run_job *job)
{
    ser_run_report *report = &job->report;
    size_t runs = ser_run_count(report);
    bool missing = report->wanted_runs == 0 || runs < report->wanted_runs;
    for (size_t i = 0; i < runs; i++)
        missing |= report->traces.items[i].unpredicted || report->traces.items[i].cut;
    report->not_replayed = count_not_replayed(job);
    missing |= report->not_replayed > 0;
    if (missing && job->is_full)
        report->stopped = "the output folder has reached its limit (--disk)";
    else if (missing && ser_was_interrupted())
        report->stopped = "interrupted";
    else if (missing && ser_budget_exhausted())
        report->stopped = "the budget was used up";
    else if (is_short_of_time(job))
        report->stopped = "the time for --effort was used up";
    else
        report->not_replayed = 0;
}

/* Run by run: first what is certain, then candidates. Some of their replays are new runs, which
 * are appended to the list and come last. */
static ser_status replay_all(ser_run_job *job, ser_error *error)
{
    ser_status status = SER_OK;
    ser_recording_own(&job->recording);
    job->recording.until = job->options.deadline;
    for (size_t i = 0; status == SER_OK && i < job->report.traces.count; i++) {
        status = ser_run_replay(job, i, error);
        if (status == SER_OK)
            status = ser_run_try_candidates(job, i, error);
    }
    job->recording.until = 0;
    return status;
}

/* Without a message: a trace that cannot be read again is not compared. */
static bool load_again(const ser_run_job *job, size_t trace, ser_loaded *loaded)
{
    const ser_source_settings settings = {.verb = "compare",
                                          .path = job->report.traces.items[trace].path,
                                          .reading = job->options.reading};
    ser_error ignored;
    return ser_loaded_make(loaded, &settings, &ignored) == SER_OK;
}

typedef bool (*link)(const ser_bug *bug, const ser_run *run);

/* The violation that was seen, and that has to do with the run, if there is only one. */
static const ser_bug *find_only(const ser_bugs *bugs, const ser_run *run, link has_to_do)
{
    const ser_bug *only = NULL;
    for (size_t i = 0; i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        if (bug->status < SER_BUG_OBSERVED || bug->is_minor || bug->follows || !has_to_do(bug, run))
            continue;
        if (only && strcmp(only->location, bug->location) != 0 &&
            !ser_bugs_have_one_cause(only, bug))
            return NULL;
        only = bug;
    }
    return only;
}

/* Locks that threads hold are a cause of their own; a thread that waits for nobody may have been
 * misled. */
static const ser_bug *find_waited_in(const ser_bugs *bugs, const char *waits)
{
    for (size_t i = 0; i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        if (bug->status >= SER_BUG_OBSERVED && !bug->is_minor && !bug->follows &&
            ser_bug_is_waited_in(bug, waits))
            return bug;
    }
    return NULL;
}

static const ser_bug *find_looked_at(const ser_bugs *bugs, const ser_run *run, const char *thread)
{
    for (size_t i = 0; i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        if (bug->status >= SER_BUG_OBSERVED && !bug->is_minor && !bug->follows &&
            ser_bug_is_looked_at_by(bug, run, thread))
            return bug;
    }
    return NULL;
}

/* The violation that the failing run has, or that it ended in, or whose data it looked at last. */
static void note_cause(const ser_run_job *job, ser_failure *failure, const ser_run *run)
{
    const ser_bugs *bugs = &job->report.bugs;
    bool stands_still = failure->kind == SER_FAILURE_DEADLOCK;
    const ser_bug *cause =
        stands_still ? find_waited_in(bugs, failure->waits) : find_only(bugs, run, ser_bug_is_in);
    if (!cause && failure->kind == SER_FAILURE_SIGNAL)
        cause = find_only(bugs, run, ser_bug_explains_end);
    failure->is_beside = !cause;
    if (!cause && failure->kind == SER_FAILURE_EXCEPTION)
        cause = find_looked_at(bugs, run, failure->thread);
    else if (!cause && !stands_still)
        cause = find_only(bugs, run, ser_bug_is_looked_at_last);
    if (cause)
        failure->cause_key = ser_copy_text(cause->key, strlen(cause->key));
}

/* How does the run end, and where does it part from the first one, if that did not fail? */
static void describe_failure(const ser_run_job *job, ser_failure *failure)
{
    bool has_end = failure->kind == SER_FAILURE_SIGNAL || failure->kind == SER_FAILURE_EXIT;
    ser_loaded good = {0}, bad = {0};
    if (load_again(job, failure->trace, &bad)) {
        if (has_end)
            ser_failure_end_in(failure, bad.run);
        if (failure->trace != 0 && load_again(job, 0, &good))
            ser_find_difference(good.run, bad.run, &failure->difference);
        ser_failure_illustrate(failure, bad.run);
        note_cause(job, failure, bad.run);
    }
    ser_loaded_close(&good);
    ser_loaded_close(&bad);
}

static void describe_failures(ser_run_job *job)
{
    for (size_t i = 0; i < job->report.failures.count && !ser_run_should_stop(); i++)
        if (!job->report.failures.items[i].schedule)
            describe_failure(job, &job->report.failures.items[i]);
}

/* Is the same memory error already reported as a violation? One bug is one entry. */
static bool is_told(const ser_bugs *bugs, const ser_failure *failure)
{
    for (size_t i = 0; failure->kind > SER_FAILURE_EXIT && i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        for (size_t j = 0; ser_bug_memory_error(bug) && j < bug->accesses.count; j++)
            if (strcmp(bug->accesses.items[j].location, failure->location) == 0)
                return true;
    }
    return false;
}

static void drop_told_failures(ser_run_report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->failures.count; i++) {
        if (is_told(&report->bugs, &report->failures.items[i]))
            ser_failure_fini(&report->failures.items[i]);
        else
            report->failures.items[kept++] = report->failures.items[i];
    }
    report->failures.count = kept;
}

/* The first run stands for all that did not call any function of the specification. */
static ser_status refuse_unmatched(ser_run_job *job, ser_error *error)
{
    ser_status status = ser_refuse_unmatched(&job->report, job->options.reading.atomic, error);
    if (status != SER_OK)
        job->report.traces.items[0].refused = ser_copy_text(error->text, strlen(error->text));
    return status;
}

ser_status ser_run_conclude(ser_run_job *job, ser_status status, ser_error *error)
{
    if (!job->report.traces.count && status != SER_OK)
        return status;
    ser_run_leave_last(job);
    job->report.name = job->options.name;
    job->report.command = job->recording.options.command;
    job->report.atomic = job->options.atomic;
    if (status == SER_OK)
        status = refuse_unmatched(job, error);
    ser_spares_choose(&job->report);
    if (status == SER_OK && !job->options.no_replay)
        status = replay_all(job, error);
    ser_failures_unite_statuses(&job->report.failures);
    if (status == SER_OK && !job->options.no_replay)
        status = ser_run_shorten_failures(job, error);
    ser_note_felt_in_runs(&job->report, job->options.redact);
    if (!job->options.redact)
        ser_note_last_words(&job->report);
    ser_remove_printed(&job->report);
    ser_run_mark_harmless(&job->report, !job->options.no_replay);
    describe_failures(job);
    ser_bugs_split(&job->report.bugs, &job->report.minor);
    ser_bugs_rank(&job->report.bugs);
    note_what_is_missing(job);
    drop_told_failures(&job->report);
    ser_failures_find_causes(&job->report.failures, &job->report.bugs);
    if (job->options.redact && status == SER_OK)
        status = ser_redact_folder(job->options.folder, error);
    return status;
}
