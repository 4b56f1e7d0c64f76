/* SPDX-License-Identifier: MIT */
/*
 * Prediction comes first: it also finds what the recorded run itself violates, with more detail. A
 * violation that it finds was observed if the recorded order, too, is a witness. Then the monitor:
 * it alone sees cycles of several blocks, or through locks.
 */
#include "session/run/analysis.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"
#include "base/output/progress.h"
#include "base/pairmap.h"
#include "predict/turns.h"
#include "report/text/dossier_rows.h"
#include "session/check_passes.h"
#include "session/effort.h"
#include "session/loaded.h"
#include "session/run/deadline.h"
#include "session/run/judge/attempts.h"
#include "session/run/judge/evidence.h"
#include "session/run/judge/harmless.h"
#include "session/run/judge/library.h"
#include "session/run/judge/polling.h"
#include "session/run/judge/stale.h"
#include "session/run/survey/looked.h"
#include "session/run/survey/repeats.h"
#include "session/run/survey/unlocked.h"
#include "session/run/survey/unmatched.h"
#include "session/schedules.h"

typedef struct analysis {
    ser_run_report *report;
    const ser_run_options *options;
    size_t index; /* of the trace */
    ser_loaded *loaded;
    const ser_run *run;   /* the loaded one */
    const ser_run *first; /* the first one of the program; NULL: this is it, or it is gone */
    ser_prediction *prediction;
    ser_checker *checker;    /* NULL until one is needed */
    ser_event_list observed; /* 1, 2, 3, ... without skipped events; for the checker */
    ser_pairmap violated;    /* by code of blocks: how many were found violated */
    ser_care care;           /* that the program takes */
    double reading;          /* seconds that it took to read the trace */
} analysis;

static ser_run_trace *trace_of(const analysis *work)
{
    return &work->report->traces.items[work->index];
}

/* A few violated blocks of the same code are enough to find its bugs. */
static bool is_still_wanted(void *context, const ser_run *run, uint32_t block)
{
    enum { ENOUGH = 5 };
    analysis *work = context;
    ser_block_code code = ser_code_of_block(run, block);
    return run->events[run->blocks.items[block].begin].site == SER_NO_SITE ||
           ser_pairmap_get(&work->violated, code.place, code.object, 0) < ENOUGH;
}

static void note_result(void *context, const ser_block_result *result)
{
    analysis *work = context;
    if (result->verdict != SER_VERDICT_VIOLATION)
        return;
    ser_block_code code = ser_code_of_block(work->run, result->block);
    ++*ser_pairmap_add(&work->violated, code.place, code.object, 0);
}

/* To look at a long run at all takes time that is over. */
static ser_status leave_unpredicted(const analysis *work)
{
    trace_of(work)->undecided += work->run->blocks.count;
    trace_of(work)->unpredicted += work->run->blocks.count;
    return SER_OK;
}

static ser_status predict(analysis *work, ser_error *error)
{
    if (ser_should_stop())
        return leave_unpredicted(work);
    ser_run_trace *trace = trace_of(work);
    ser_predict_options options = ser_effort_options(&work->options->effort);
    options.keep_survey = work->options->candidates > 0 && (work->index == 0 || trace->derived);
    options.should_stop = ser_should_stop;
    options.still_wanted = is_still_wanted;
    options.done = note_result;
    options.context = work;
    double until = ser_deadline_of_prediction(work->options, work->reading);
    if (until > 0)
        ser_stop_at(until);
    ser_status status = ser_predict(work->prediction, work->run, &options, error);
    if (until > 0)
        ser_stop_at(0);
    work->loaded->abandoned |= work->prediction->abandoned;
    for (size_t i = 0; i < work->prediction->results.count; i++) {
        const ser_block_result *result = &work->prediction->results.items[i];
        trace->undecided += result->verdict == SER_VERDICT_UNKNOWN && !result->skipped;
        ser_run_trace_count(trace, result);
        trace->unpredicted +=
            result->reason == SER_REASON_INTERRUPTED && result->verdict == SER_VERDICT_UNKNOWN;
        trace->skipped += result->skipped;
    }
    return status;
}

/* Is the recorded order itself a witness? */
static bool was_observed(analysis *work, uint32_t block)
{
    ser_witness_facts facts = {0};
    ser_error ignored;
    if (!work->checker) {
        const ser_checker_model model = {.happened = true};
        work->checker = ser_checker_create(work->run->events, work->run->count, &model);
        for (uint32_t i = 1; i <= work->run->count; i++)
            if (ser_op_takes_part((ser_op)work->run->events[i].op))
                ser_vector_push(&work->observed, i);
    }
    ser_status status = ser_checker_check(work->checker, block, false, work->observed.items,
                                          work->observed.count, &facts, &ignored);
    bool observed = status == SER_OK && !ser_is_only_attempts(work->run, block, &facts);
    ser_witness_facts_fini(&facts);
    return observed;
}

/* The bug takes the witness over, for its replay. */
static ser_status illustrate(analysis *work, ser_bug *bug, size_t number, bool observed,
                             ser_block_result *result, ser_error *error)
{
    const ser_predict_report report = {.path = trace_of(work)->path,
                                       .prediction = work->prediction};
    char path[SER_PREDICT_PATH_SIZE];
    snprintf(path, sizeof path, "%s/violation-%zu.schedule", work->options->folder, number);
    ser_bug_illustrate(bug, work->run, result);
    if (observed)
        bug->status = SER_BUG_OBSERVED;
    bug->was_observed = observed;
    ser_status status = ser_write_schedule(&report, result, path, error);
    if (status == SER_OK)
        bug->schedule = ser_copy_text(path, strlen(path));
    for (size_t i = 0; i < result->facts.broken.count; i++)
        ser_vector_push(&bug->changed, result->facts.broken.items[i]);
    bug->order = result->order;
    result->order = (ser_event_list){0};
    return status;
}

/* Why a violation is one by the definition, but nobody has to mend it; NULL: it is a bug. */
static const char *why_no_bug(const analysis *work, const ser_block_result *result)
{
    if (ser_is_polling(work->run, work->run->blocks.items[result->block].begin, &result->facts,
                       work->first))
        return "it waits until another thread has changed what it reads";
    if (ser_blocks_are_guessed(work->options->reading.atomic) &&
        work->run->blocks.items[result->block].kind != SER_BLOCK_MARKED &&
        ser_is_library_matter(work->run, &result->facts))
        return "what is changed belongs to the C++ library, which synchronises it";
    if (work->run->blocks.items[result->block].kind == SER_BLOCK_CHECK &&
        ser_find_staleness(work->run, result->block) == SER_STALE_BUT_TRUE)
        return "what it acts upon stays true, whatever the others do";
    return NULL;
}

/* Of all blocks that are the bug. */
static void note_care(analysis *work, ser_bug *bug, uint32_t block, const uint32_t *events,
                      size_t count, bool is_new)
{
    work->care.run = work->run;
    bug->is_careful =
        (is_new || bug->is_careful) && ser_care_is_taken(&work->care, block, events, count);
}

/* A violation by the definition that is not a bug. */
static void note_minor(ser_bug *bug, const char *why)
{
    if (!bug->consequence)
        bug->consequence = ser_copy_text(why, strlen(why));
}

/* The run shows a known bug better than the one before: it takes its place. */
static ser_status replace(analysis *work, ser_bug *bug, ser_block_result *result, ser_error *error)
{
    ser_bugs alone = {0};
    bool is_new;
    size_t number = (size_t)(bug - work->report->bugs.list.items) + 1;
    ser_bug *better = ser_bugs_add_predicted(&alone, work->run, result, work->index, &is_new);
    ser_status status = illustrate(work, better, number, true, result, error);
    better->blocks = bug->blocks;
    better->is_careful = bug->is_careful;
    ser_bug_fini(bug);
    *bug = *better;
    ser_vector_free(&alone.list);
    work->report->replaced++;
    return status;
}

static ser_status gather_one(analysis *work, ser_block_result *result, ser_error *error)
{
    bool is_new;
    ser_run_report *report = work->report;
    ser_bug *bug = ser_bugs_add_predicted(&report->bugs, work->run, result, work->index, &is_new);
    note_care(work, bug, result->block, result->facts.path.items, result->facts.path.count, is_new);
    bool is_better = !is_new && bug->is_careful && ser_is_better_evidence(report, bug);
    bool observed = (is_new || is_better || !trace_of(work)->violated) &&
                    was_observed(work, work->run->blocks.items[result->block].begin);
    trace_of(work)->violated |= observed;
    if (is_new)
        return illustrate(work, bug, report->bugs.list.count, observed, result, error);
    return is_better && observed ? replace(work, bug, result, error) : SER_OK;
}

/* A violation that only shows a lock which the program makes itself may hide one of what that
 * protects: the recorded order tells. It is the witness then. Where blocks are guessed, two
 * critical sections in one function are no mistake, unless something is lost. */
static bool has_more_behind(const analysis *work, ser_block_result *result)
{
    uint32_t begin = work->run->blocks.items[result->block].begin;
    ser_witness_facts facts = {0};
    bool guessed = ser_blocks_are_guessed(work->options->reading.atomic);
    if (!ser_is_violated_behind(work->run, begin, &result->facts, &facts) ||
        ser_is_polling(work->run, begin, &facts, work->first) ||
        (guessed && !ser_is_overwriting(work->run, &facts))) {
        ser_witness_facts_fini(&facts);
        return false;
    }
    ser_witness_facts_fini(&result->facts);
    result->facts = facts;
    result->order.count = 0;
    for (uint32_t i = 1; i <= work->run->count; i++)
        if (ser_op_takes_part((ser_op)work->run->events[i].op))
            ser_vector_push(&result->order, i);
    return true;
}

static ser_status gather_predicted(analysis *work, ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < work->prediction->results.count; i++) {
        ser_block_result *result = &work->prediction->results.items[i];
        bool is_new;
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        const char *why = has_more_behind(work, result) ? NULL : why_no_bug(work, result);
        if (why) {
            note_minor(ser_bugs_add_predicted(&work->report->minor, work->run, result, work->index,
                                              &is_new),
                       why);
            continue;
        }
        status = gather_one(work, result, error);
    }
    return status;
}

static bool is_predicted(const analysis *work, uint64_t begin)
{
    for (size_t i = 0; i < work->prediction->results.count; i++) {
        const ser_block_result *result = &work->prediction->results.items[i];
        if (work->run->blocks.items[result->block].begin == begin)
            return result->verdict == SER_VERDICT_VIOLATION;
    }
    return false;
}

/* A cycle of forks and joins alone changes no data. One that could not be explained may. */
static bool concerns_data(const ser_finding *finding)
{
    for (size_t i = 0; i < finding->steps.count; i++)
        if (finding->steps.items[i].by == SER_EDGE_VARIABLE)
            return true;
    return finding->steps.count == 0;
}

typedef SER_VECTOR(uint64_t) begin_list;

static bool has_begin(const begin_list *begins, uint64_t begin)
{
    for (size_t i = 0; i < begins->count; i++)
        if (begins->items[i] == begin)
            return true;
    return false;
}

static size_t count_findings(const ser_check_passes *passes)
{
    return passes->explainer ? ser_explainer_finding_count(passes->explainer) : 0;
}

static bool has_unpredicted(const analysis *work, const ser_check_passes *passes)
{
    for (size_t i = 0; i < count_findings(passes); i++)
        if (!is_predicted(work, ser_explainer_finding(passes->explainer, i)->begin))
            return true;
    return false;
}

static void note_care_of_finding(analysis *work, ser_bug *bug, const ser_finding *finding,
                                 bool is_new)
{
    ser_event_list events = {0};
    uint32_t block = finding->begin ? work->run->block_of[finding->begin] : 0;
    for (size_t i = 0; i < finding->steps.count; i++) {
        ser_vector_push(&events, (uint32_t)finding->steps.items[i].from.number);
        ser_vector_push(&events, (uint32_t)finding->steps.items[i].to.number);
    }
    if (block)
        note_care(work, bug, block - 1, events.items, events.count, is_new);
    ser_vector_free(&events);
}

/* Bugs, from the run without its locks; their begins are noted. */
static void gather_in_data(analysis *work, const ser_check_passes *passes, begin_list *begins)
{
    for (size_t i = 0; i < count_findings(passes); i++) {
        const ser_finding *finding = ser_explainer_finding(passes->explainer, i);
        bool is_new;
        if (is_predicted(work, finding->begin) || !concerns_data(finding))
            continue;
        ser_bug *bug =
            ser_bugs_add_observed(&work->report->bugs, work->run, finding, work->index, &is_new);
        note_care_of_finding(work, bug, finding, is_new);
        trace_of(work)->violated = true;
        ser_vector_push(begins, finding->begin);
    }
}

/* What only the run with its locks shows. */
static void gather_minor(analysis *work, const ser_check_passes *passes, const begin_list *in_data)
{
    for (size_t i = 0; i < count_findings(passes); i++) {
        const ser_finding *finding = ser_explainer_finding(passes->explainer, i);
        bool is_new;
        if (is_predicted(work, finding->begin) || has_begin(in_data, finding->begin))
            continue;
        ser_bug *bug =
            ser_bugs_add_observed(&work->report->minor, work->run, finding, work->index, &is_new);
        trace_of(work)->retried++;
        note_minor(bug, "others come between, but not to data that both use");
    }
}

/* Feeds the monitor from memory. */
static ser_status monitor(analysis *work, const ser_run *run, ser_check_passes *passes,
                          ser_error *error)
{
    *passes = (ser_check_passes){.engine = &ser_engine_summaries, .found.all = true};
    ser_source_open_run(&passes->source, &work->loaded->source, run);
    ser_status status = ser_check_run(passes, error);
    trace_of(work)->cut |= status == SER_OK && passes->partial != NULL;
    return status;
}

static ser_status check_data(analysis *work, begin_list *begins, ser_error *error)
{
    ser_check_passes passes;
    ser_run unlocked = *work->run;
    bool *own = ser_library_variables(work->run->symbols);
    unlocked.events = ser_events_without_locks(work->run, own);
    free(own);
    ser_status status = monitor(work, &unlocked, &passes, error);
    if (status == SER_OK)
        gather_in_data(work, &passes, begins);
    ser_check_passes_fini(&passes);
    free(unlocked.events);
    return status;
}

/* Where blocks were interrupted at all it is asked once more, without the locks, whether the data
 * shows it: the explanation of a cycle may name the locks only. */
static ser_status check(analysis *work, ser_error *error)
{
    ser_check_passes passes;
    begin_list begins = {0};
    ser_status status = monitor(work, work->run, &passes, error);
    if (status == SER_OK && has_unpredicted(work, &passes)) {
        status = check_data(work, &begins, error);
        if (status == SER_OK)
            gather_minor(work, &passes, &begins);
    }
    ser_vector_free(&begins);
    ser_check_passes_fini(&passes);
    return status;
}

/* Replays are predicted from only: the monitor also sees cycles through locks alone, and a
 * forced schedule makes those anywhere, whatever happens to the data. */
static ser_status analyse(analysis *work, ser_error *error)
{
    ser_status status = predict(work, error);
    if (status == SER_OK)
        status = gather_predicted(work, error);
    if (status == SER_OK && !trace_of(work)->derived)
        status = check(work, error);
    ser_checker_destroy(work->checker);
    ser_vector_free(&work->observed);
    ser_pairmap_fini(&work->violated);
    ser_care_fini(&work->care);
    return status;
}

static ser_status load(ser_loaded *loaded, ser_run_trace *trace, const ser_reading *reading,
                       ser_error *error)
{
    const ser_source_settings settings = {
        .verb = "analyse", .path = trace->path, .reading = *reading};
    ser_status status = ser_loaded_make(loaded, &settings, error);
    if (status != SER_OK)
        return status;
    const ser_counts *counts = &loaded->counts;
    trace->size = (ser_trace_size){counts->events, counts->threads, counts->locks,
                                   counts->variables, counts->blocks};
    trace->cut |= loaded->source.stopped != NULL;
    ser_look_at_blocks(loaded->run, &trace->looked);
    return SER_OK;
}

ser_status ser_run_analyse(ser_run_report *report, const ser_run_options *options,
                           const ser_run *first, ser_loaded *loaded, ser_prediction *prediction,
                           ser_error *error)
{
    analysis work = {.report = report,
                     .options = options,
                     .first = first,
                     .loaded = loaded,
                     .prediction = prediction,
                     .index = report->traces.count - 1};
    double start = ser_clock_now();
    ser_status status = load(loaded, trace_of(&work), &options->reading, error);
    work.run = loaded->run;
    work.reading = ser_clock_now() - start;
    if (status == SER_OK)
        status = ser_note_unmatched(report, options->reading.atomic, loaded, error);
    if (status == SER_OK && !ser_run_is_repeated(report, work.run))
        status = analyse(&work, error);
    if (status == SER_UNDECIDED && ser_should_stop()) { /* before the first event was read */
        trace_of(&work)->cut = true;
        status = SER_OK;
    }
    if (status == SER_INPUT || status == SER_INTERNAL)
        trace_of(&work)->refused = ser_copy_text(error->text, strlen(error->text));
    return status;
}
