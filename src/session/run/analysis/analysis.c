/* SPDX-License-Identifier: MIT */
/*
 * Prediction comes first: it also finds what the recorded run itself violates, with more detail. A
 * violation that it finds was observed if the recorded order, too, is a witness. Then the monitor
 * (observed.h).
 */
#include "session/run/analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"
#include "base/output/progress.h"
#include "report/text/dossier_rows.h"
#include "session/loaded.h"
#include "session/run/analysis/observed.h"
#include "session/run/analysis/predicted.h"
#include "session/run/deadline.h"
#include "session/run/evidence/evidence.h"
#include "session/run/evidence/sharpen.h"
#include "session/run/evidence/spares.h"
#include "session/run/judge/harmless.h"
#include "session/run/judge/library.h"
#include "session/run/judge/meant.h"
#include "session/run/judge/reasons.h"
#include "session/run/judge/waits/attempts.h"
#include "session/run/judge/waits/polling.h"
#include "session/run/survey/looked.h"
#include "session/run/survey/repeats.h"
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
    ser_care care;           /* that the program takes */
    bool *owned;             /* of ser_judging */
    double patience_ends;    /* with what is left to judge; 0: nobody has asked to stop */
} analysis;

static ser_run_trace *trace_of(const analysis *work)
{
    return &work->report->traces.items[work->index];
}

/* Is the recorded order itself a witness? If so, the facts are to be finished. */
static bool was_observed(analysis *work, uint32_t block, ser_witness_facts *facts)
{
    ser_error ignored;
    if (!work->checker) {
        const ser_checker_model model = {.happened = true};
        work->checker = ser_checker_create(work->run->events, work->run->count, &model);
        for (uint32_t i = 1; i <= work->run->count; i++)
            if (ser_op_takes_part((ser_op)work->run->events[i].op))
                ser_vector_push(&work->observed, i);
    }
    ser_status status = ser_checker_check(work->checker, block, false, work->observed.items,
                                          work->observed.count, facts, &ignored);
    if (status == SER_OK && !ser_is_only_attempts(work->run, block, facts))
        return true;
    ser_witness_facts_fini(facts);
    return false;
}

static bool is_violated_as_recorded(analysis *work, uint32_t block)
{
    ser_witness_facts facts = {0};
    bool observed = was_observed(work, block, &facts);
    ser_witness_facts_fini(&facts);
    return observed;
}

/* The bug takes the witness over, for its replay. `kind` and number name its schedule. */
static ser_status illustrate(analysis *work, ser_bug *bug, const char *kind, size_t number,
                             bool observed, ser_block_result *result, ser_error *error)
{
    const ser_predict_report report = {.path = trace_of(work)->path,
                                       .prediction = work->prediction};
    char path[SER_PREDICT_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s-%zu.schedule", work->options->folder, kind, number);
    ser_bug_illustrate(bug, work->run, result, &work->care.names);
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

/* What all its violations are asked. */
static ser_judging judging(analysis *work)
{
    return (ser_judging){work->run, work->first,
                         ser_blocks_are_guessed(work->options->reading.atomic), &work->owned};
}

/* The known bug as this run shows it. */
static ser_status show_again(analysis *work, const char *kind, size_t number,
                             ser_block_result *result, ser_bug *again, ser_error *error)
{
    ser_bugs alone = {.are_named = work->report->bugs.are_named};
    bool is_new;
    ser_bug *bug = ser_bugs_add_predicted(&alone, work->run, result, work->index, &is_new);
    ser_status status = illustrate(work, bug, kind, number, true, result, error);
    *again = *bug;
    ser_vector_free(&alone.list);
    return status;
}

/* The run shows a known bug better than the one before: it takes its place. */
static ser_status replace(analysis *work, ser_bug *bug, ser_block_result *result, ser_error *error)
{
    ser_bug better;
    size_t number = (size_t)(bug - work->report->bugs.list.items) + 1;
    ser_status status = show_again(work, "violation", number, result, &better, error);
    ser_care_carry_over(&better, bug);
    ser_bug_fini(bug);
    *bug = better;
    work->report->replaced++;
    return status;
}

/* It may show the bug better, but that is not known yet. */
static ser_status keep_spare(analysis *work, ser_block_result *result, ser_error *error)
{
    ser_bug spare;
    size_t number = work->report->spares.list.count + 1;
    ser_status status = show_again(work, "spare", number, result, &spare, error);
    ser_spares_add(work->report, &spare);
    return status;
}

static ser_status gather_one(analysis *work, ser_block_result *result, ser_error *error)
{
    bool is_new;
    ser_run_report *report = work->report;
    ser_bug *bug = ser_bugs_add_predicted(&report->bugs, work->run, result, work->index, &is_new);
    work->care.order = &result->order;
    ser_care_note(&work->care, bug, is_new, result->block, result->facts.path.items,
                  result->facts.path.count);
    work->care.order = NULL;
    bool fails = !bug->was_felt && ser_fails_within(report, work->run, result->block);
    bool is_better = !is_new && (fails || ser_is_better_evidence(report, bug));
    bool is_spare = !is_new && !is_better && ser_wants_spare(report, bug);
    bool observed = (is_new || is_better || is_spare || !trace_of(work)->violated) &&
                    is_violated_as_recorded(work, work->run->blocks.items[result->block].begin);
    trace_of(work)->violated |= observed;
    ser_status status = SER_OK;
    if (is_new && bug->is_careful && !fails)
        ser_sharpen(work->run, result);
    if (is_new)
        status =
            illustrate(work, bug, "violation", report->bugs.list.count, observed, result, error);
    else if (is_better && observed)
        status = replace(work, bug, result, error);
    else if (is_spare && observed)
        status = keep_spare(work, result, error);
    bug->was_felt |= fails && observed;
    return status;
}

/* The recorded order becomes the witness. */
static void take_recorded_order(const analysis *work, ser_block_result *result,
                                ser_witness_facts *facts)
{
    ser_witness_facts_fini(&result->facts);
    result->facts = *facts;
    result->order.count = 0;
    for (uint32_t i = 1; i <= work->run->count; i++)
        if (ser_op_takes_part((ser_op)work->run->events[i].op))
            ser_vector_push(&result->order, i);
}

/* A violation that only shows a lock which the program makes itself may hide one of what that
 * protects: the recorded order tells. It is the witness then. Where blocks are guessed, two
 * critical sections in one function are no mistake, unless something is lost. */
static bool has_more_behind(analysis *work, ser_block_result *result)
{
    uint32_t begin = work->run->blocks.items[result->block].begin;
    ser_witness_facts facts = {0};
    const ser_judging asked = judging(work);
    if (!ser_is_violated_behind(work->run, begin, &result->facts, &facts) ||
        ser_why_no_bug(&asked, result->block, &facts) ||
        (!ser_block_is_meant(work->run, result->block, asked.guessed) &&
         !ser_is_overwriting(work->run, &facts))) {
        ser_witness_facts_fini(&facts);
        return false;
    }
    take_recorded_order(work, result, &facts);
    return true;
}

/* So may one of what a library keeps for itself; then the recorded order is judged instead. */
static void look_beside_library(analysis *work, ser_block_result *result)
{
    uint32_t begin = work->run->blocks.items[result->block].begin;
    ser_witness_facts facts = {0};
    if (ser_block_is_meant(work->run, result->block, judging(work).guessed) ||
        !ser_leads_through_library(work->run, &result->facts))
        return;
    if (ser_is_violated_beside_library(work->run, begin, &facts))
        take_recorded_order(work, result, &facts);
    else
        ser_witness_facts_fini(&facts);
}

/* Where a run failed, the recorded order says why. Another interleaving that waits for something,
 * or does no harm, says nothing about it. */
static bool explains_failure(analysis *work, ser_block_result *result)
{
    ser_witness_facts facts = {0};
    if (!ser_fails_within(work->report, work->run, result->block) ||
        !was_observed(work, work->run->blocks.items[result->block].begin, &facts))
        return false;
    if (ser_is_library_matter(work->run, &facts)) {
        ser_witness_facts_fini(&facts);
        return false;
    }
    take_recorded_order(work, result, &facts);
    return true;
}

/* A loop that works is not meant to be atomic, but what the program prints when others come between
 * its rounds is not what it usually prints. */
static void note_interruption(analysis *work, const ser_block_result *result)
{
    if (!trace_of(work)->violated && ser_is_working_loop(work->run, &result->facts))
        trace_of(work)->violated =
            is_violated_as_recorded(work, work->run->blocks.items[result->block].begin);
}

/* What was found before a stop is told, as far as it takes a moment to judge it. */
static bool is_patience_over(analysis *work)
{
    const double moment = 0.5; /* seconds */
    if (!ser_should_stop())
        return false;
    if (work->patience_ends == 0)
        work->patience_ends = ser_clock_now() + moment;
    return ser_clock_now() >= work->patience_ends;
}

static ser_status gather_predicted(analysis *work, ser_error *error)
{
    ser_status status = SER_OK;
    const ser_judging asked = judging(work);
    for (size_t i = 0; status == SER_OK && i < work->prediction->results.count; i++) {
        ser_block_result *result = &work->prediction->results.items[i];
        bool is_new;
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        if (is_patience_over(work)) { /* a violation, but nobody has asked whether it is a bug */
            trace_of(work)->undecided++;
            trace_of(work)->unpredicted++;
            continue;
        }
        look_beside_library(work, result);
        const char *why = has_more_behind(work, result) || explains_failure(work, result)
                              ? NULL
                              : ser_why_no_bug(&asked, result->block, &result->facts);
        if (why) {
            ser_bug_note_minor(ser_bugs_add_predicted(&work->report->minor, work->run, result,
                                                      work->index, &is_new),
                               why);
            note_interruption(work, result);
            continue;
        }
        status = gather_one(work, result, error);
    }
    return status;
}

static ser_status observe(analysis *work, ser_error *error)
{
    double before = ser_stop_sooner(ser_deadline_of_monitor(work->options));
    ser_status status = ser_run_observe(&(ser_observing){.report = work->report,
                                                         .index = work->index,
                                                         .loaded = work->loaded,
                                                         .run = work->run,
                                                         .prediction = work->prediction,
                                                         .judging = judging(work),
                                                         .care = &work->care},
                                        error);
    ser_stop_at(before);
    return status;
}

/* Replays are predicted from only: the monitor also sees cycles through locks alone, and a
 * forced schedule makes those anywhere, whatever happens to the data. */
static ser_status analyse(analysis *work, double reading, ser_error *error)
{
    work->care =
        (ser_care){.run = work->run, .first = work->first, .guessed = judging(work).guessed};
    const ser_predicting predicting = {trace_of(work), work->options, work->loaded,
                                       work->index == 0, reading};
    ser_status status = ser_run_predict(work->prediction, &predicting, error);
    if (status == SER_OK)
        status = gather_predicted(work, error);
    if (status == SER_OK && !trace_of(work)->derived)
        status = observe(work, error);
    ser_checker_destroy(work->checker);
    ser_vector_free(&work->observed);
    ser_care_fini(&work->care);
    free(work->owned);
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
    report->bugs.are_named = !ser_blocks_are_guessed(options->reading.atomic);
    report->minor.are_named = report->bugs.are_named;
    ser_status status = load(loaded, trace_of(&work), &options->reading, error);
    work.run = loaded->run;
    double reading = ser_clock_now() - start;
    if (status == SER_OK)
        status = ser_note_unmatched(report, options->reading.atomic, loaded, error);
    if (status == SER_OK && !ser_run_is_repeated(report, work.run))
        status = analyse(&work, reading, error);
    if (status == SER_UNDECIDED && ser_should_stop()) { /* before the first event was read */
        trace_of(&work)->cut = true;
        status = SER_OK;
    }
    if (status == SER_INPUT || status == SER_INTERNAL)
        trace_of(&work)->refused = ser_copy_text(error->text, strlen(error->text));
    return status;
}
