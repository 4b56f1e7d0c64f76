/* SPDX-License-Identifier: MIT */
#include "session/predicting.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "base/output/progress.h"

typedef struct predict {
    const ser_predict_choice *choice;
    uint64_t blocks, done, violations; /* for the progress line */
} predict;

static bool wants_block(const void *context, const ser_run *run, uint32_t block)
{
    const predict *work = context;
    return ser_predict_choice_wants(work->choice, run, block);
}

static void count_blocks(predict *work, const ser_run *run)
{
    for (uint32_t i = 0; i < run->blocks.count; i++)
        work->blocks += ser_predict_choice_wants(work->choice, run, i);
}

static void note_progress(void *context, const ser_block_result *result)
{
    predict *work = context;
    char words[100];
    work->done++;
    work->violations += result->verdict == SER_VERDICT_VIOLATION;
    if (!ser_progress_is_due())
        return;
    snprintf(words, sizeof words, "%" PRIu64 " of %" PRIu64 " blocks, %" PRIu64 " violation%s",
             work->done, work->blocks, work->violations, work->violations == 1 ? "" : "s");
    ser_progress_say(words, work->done, work->blocks);
}

/* The driver only sees that it was asked to stop, not why. */
static void blame_budget(ser_prediction *prediction)
{
    if (ser_interrupted() || !ser_budget_exhausted())
        return;
    for (size_t i = 0; i < prediction->results.count; i++)
        if (prediction->results.items[i].reason == SER_REASON_INTERRUPTED)
            prediction->results.items[i].reason = SER_REASON_TIME;
}

ser_status ser_predict_loaded(ser_prediction *prediction, ser_loaded *loaded,
                              const ser_predict_choice *choice, const ser_predict_options *options,
                              ser_error *error)
{
    predict work = {.choice = choice};
    ser_predict_options all = *options;
    all.wanted = wants_block;
    all.done = note_progress;
    all.context = &work;
    all.should_stop = ser_should_stop;
    all.together = ser_predict_choice_count(choice, loaded->run);
    count_blocks(&work, loaded->run);
    ser_progress_start(loaded->source.label);
    ser_status status = ser_predict(prediction, loaded->run, &all, error);
    ser_progress_stop();
    blame_budget(prediction);
    loaded->abandoned |= prediction->abandoned;
    return status;
}

ser_status ser_predict_candidates(ser_candidate_list *list, const ser_prediction *prediction,
                                  const ser_predict_options *options, ser_error *error)
{
    ser_predict_options all = *options;
    all.should_stop = ser_should_stop;
    ser_candidate_search *search = ser_candidate_search_create(prediction, &all);
    ser_status status = ser_candidate_search_list(search, list, error);
    ser_candidate_search_destroy(search);
    return status;
}

static bool is_block(const void *context, const ser_run *run, uint32_t block)
{
    return run->blocks.items[block].begin == *(const uint32_t *)context;
}

static ser_status take_order(ser_event_list *order, ser_prediction *prediction, uint32_t block,
                             ser_error *error)
{
    if (prediction->results.count == 0)
        return ser_fail(error, SER_USAGE,
                        "no block starts at event %" PRIu32
                        "; was the trace analysed with a different --atomic?",
                        block);
    ser_block_result *result = &prediction->results.items[0];
    if (result->verdict != SER_VERDICT_VIOLATION)
        return ser_fail(error, SER_UNDECIDED,
                        "block %" PRIu32 ": there is nothing to replay, the prediction is %s",
                        block, ser_verdict_name(result->verdict));
    *order = result->order;
    result->order = (ser_event_list){0};
    return SER_OK;
}

ser_status ser_predict_witness(ser_event_list *order, ser_loaded *loaded, uint32_t block,
                               const ser_effort *effort, ser_error *error)
{
    ser_prediction prediction = {0};
    ser_predict_options options = ser_effort_options(effort);
    options.wanted = is_block;
    options.context = &block;
    options.should_stop = ser_should_stop;
    ser_status status = ser_predict(&prediction, loaded->run, &options, error);
    if (status == SER_OK)
        status = take_order(order, &prediction, block, error);
    loaded->abandoned |= prediction.abandoned;
    ser_prediction_fini(&prediction);
    return status;
}

ser_status ser_predict_verdict(const ser_predict_report *report)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    if (summary.verdicts[SER_VERDICT_VIOLATION])
        return SER_VIOLATION;
    return report->partial || summary.verdicts[SER_VERDICT_UNKNOWN] ? SER_UNDECIDED : SER_OK;
}
