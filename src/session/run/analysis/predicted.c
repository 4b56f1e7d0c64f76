/* SPDX-License-Identifier: MIT */
/*
 * Runs of the same code tend to have the same answer: once a few of them were found violated, the
 * others are not looked at, and it does not matter what is not known of them.
 */
#include "session/run/analysis/predicted.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pairmap.h"
#include "predict/turns.h"
#include "session/effort.h"
#include "session/run/deadline.h"

typedef struct progress {
    const ser_predicting *what;
    ser_pairmap violated; /* by code of blocks: how many were found violated */
} progress;

static bool is_still_wanted(void *context, const ser_run *run, uint32_t block)
{
    enum { ENOUGH = 5 };
    const progress *work = context;
    ser_block_code code = ser_code_of_block(run, block);
    return run->events[run->blocks.items[block].begin].site == SER_NO_SITE ||
           ser_pairmap_get(&work->violated, code.place, code.object, 0) < ENOUGH;
}

static void note_result(void *context, const ser_block_result *result)
{
    progress *work = context;
    if (result->verdict != SER_VERDICT_VIOLATION)
        return;
    ser_block_code code = ser_code_of_block(work->what->loaded->run, result->block);
    ++*ser_pairmap_add(&work->violated, code.place, code.object, 0);
}

/* To look at a long run at all takes time that is over. */
static ser_status leave_unpredicted(const ser_predicting *what)
{
    what->trace->undecided += what->loaded->run->blocks.count;
    what->trace->unpredicted += what->loaded->run->blocks.count;
    return SER_OK;
}

/* Blocks that are hard to decide must not take the time from all others. */
static double patience(double end, double usual)
{
    static const double part = 12;
    double fair = (end - ser_clock_now()) / part;
    return end > 0 && fair > 0 && fair < usual ? fair : usual;
}

static void count_results(progress *work, const ser_prediction *prediction)
{
    ser_run_trace *trace = work->what->trace;
    for (size_t i = 0; i < prediction->results.count; i++) {
        const ser_block_result *result = &prediction->results.items[i];
        bool is_unknown = result->verdict == SER_VERDICT_UNKNOWN;
        bool is_open =
            is_unknown && !result->skipped && is_still_wanted(work, prediction->run, result->block);
        ser_run_trace_count(trace, result);
        trace->undecided += is_open;
        trace->unpredicted += is_open && result->reason == SER_REASON_INTERRUPTED;
        trace->skipped += is_unknown && !is_open;
    }
}

ser_status ser_run_predict(ser_prediction *prediction, const ser_predicting *what, ser_error *error)
{
    if (ser_should_stop())
        return leave_unpredicted(what);
    progress work = {.what = what};
    double end = ser_deadline_of_prediction(what->options, what->reading);
    ser_predict_options options = ser_effort_options(&what->options->effort);
    options.keep_survey = what->options->candidates > 0 && (what->is_first || what->trace->derived);
    options.timeout = patience(end, options.timeout);
    options.should_stop = ser_should_stop;
    options.still_wanted = is_still_wanted;
    options.done = note_result;
    options.context = &work;
    double before = ser_stop_sooner(end);
    ser_status status = ser_predict(prediction, what->loaded->run, &options, error);
    ser_stop_at(before);
    what->loaded->abandoned |= prediction->abandoned;
    count_results(&work, prediction);
    ser_pairmap_fini(&work.violated);
    return status;
}
