/* SPDX-License-Identifier: MIT */
/*
 * Each worker takes the next block until there is none (work_on_blocks); decide.c decides it. The
 * first one also surveys the run, before the others begin.
 */
#include "predict/workers.h"

#include "base/output/topics.h"
#include "predict/settle.h"

enum { FEW_BLOCKS = 8 }; /* fewer than one of so many */

static bool is_still_wanted(ser_work *all, uint32_t block)
{
    const ser_predict_options *options = &all->decider->options;
    if (!options->still_wanted)
        return true;
    pthread_mutex_lock(&all->lock);
    bool wanted =
        all->abandoned || options->still_wanted(options->context, all->decider->run, block);
    pthread_mutex_unlock(&all->lock);
    return wanted;
}

bool ser_work_must_stop(ser_work *all)
{
    const ser_predict_options *options = &all->decider->options;
    if (options->should_stop && options->should_stop())
        atomic_store(&all->stop, true);
    return atomic_load(&all->stop);
}

/* The result as it was listed; what is found out is put there by hand_over. */
static ser_block_result look_up(ser_work *all, uint32_t place)
{
    pthread_mutex_lock(&all->lock);
    ser_block_result result = {0};
    if (!all->abandoned)
        result = all->prediction->results.items[place];
    pthread_mutex_unlock(&all->lock);
    return result;
}

static void log_result(const ser_work *all, const ser_block_result *result)
{
    ser_log_debug(PREDICT, "block at event %u: %s by %s, %llu events to look at, %llu states%s%s%s",
                  all->decider->run->blocks.items[result->block].begin,
                  ser_verdict_name(result->verdict), result->engine,
                  (unsigned long long)result->segment, (unsigned long long)result->explored,
                  result->reason ? ", not decided: " : "",
                  result->reason ? ser_reason_name(result->reason) : "",
                  result->skipped ? ", skipped: enough is known of its code" : "");
}

static void hand_over(ser_work *all, uint32_t place, const ser_block_result *result, bool decided)
{
    log_result(all, result);
    const ser_predict_options *options = &all->decider->options;
    pthread_mutex_lock(&all->lock);
    if (!all->abandoned) {
        all->prediction->results.items[place] = *result;
        if (options->done && decided)
            options->done(options->context, result);
    }
    pthread_mutex_unlock(&all->lock);
}

/* For the next round. */
static void leave(ser_work *all, uint32_t place, const ser_block_result *result)
{
    pthread_mutex_lock(&all->lock);
    if (!all->abandoned) {
        ser_block_result *item = &all->prediction->results.items[place];
        item->is_left = true;
        item->bound = result->bound;
        item->seconds = result->seconds;
    }
    pthread_mutex_unlock(&all->lock);
}

static void note_fault(ser_work *all, const ser_error *error)
{
    pthread_mutex_lock(&all->lock);
    if (all->status == SER_OK) {
        all->status = SER_INTERNAL;
        all->error = *error;
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->stop, true);
}

/* A request to stop that came before all->stop was looked at is lost here, on purpose: one for
 * lack of memory ends only the current block. */
static void begin(ser_worker *own)
{
    atomic_store(&own->out_of_memory, false);
    atomic_store(&own->stop, false);
    atomic_store(&own->busy, true);
}

/* Was the worker asked to stop because of memory, and nothing else? */
static bool end(ser_worker *own)
{
    atomic_store(&own->busy, false);
    return atomic_load(&own->out_of_memory) && !atomic_load(&own->all->stop);
}

/* False: there was no time left to begin. */
static bool decide(ser_worker *own, ser_block_result *result)
{
    ser_work *all = own->all;
    begin(own);
    bool begun = !ser_work_must_stop(all);
    if (!begun)
        result->reason = SER_REASON_INTERRUPTED;
    else if (ser_decide_block(all->decider, own->number, &own->stop, result, &own->error) != SER_OK)
        note_fault(all, &own->error);
    if (end(own) && result->reason == SER_REASON_INTERRUPTED)
        result->reason = SER_REASON_MEMORY;
    return begun;
}

static void *work_on_blocks(void *context)
{
    ser_worker *own = context;
    ser_work *all = own->all;
    for (;;) {
        size_t number = atomic_fetch_add(&all->next, 1);
        if (number >= all->turns.count)
            return NULL;
        uint32_t place = all->turns.items[number];
        ser_block_result result = look_up(all, place);
        result.skipped = !ser_work_must_stop(all) && !is_still_wanted(all, result.block);
        bool decided = !result.skipped && decide(own, &result);
        if (ser_round_is_first(all->decider->round) && (result.is_left || !decided))
            leave(all, place, &result);
        else
            hand_over(all, place, &result, decided);
    }
}

/* --- facts first ----------------------------------------------------------------------------- */

static void begin_survey(ser_work *all)
{
    begin(&all->workers[0]);
    if (ser_work_must_stop(all))
        atomic_store(&all->workers[0].stop, true);
}

static ser_overrun end_survey(ser_work *all, ser_overrun overrun)
{
    return end(&all->workers[0]) && overrun == SER_OVERRUN_STOP ? SER_OVERRUN_MEMORY : overrun;
}

/* As much memory as all blocks that are worked on at the same time. */
static ser_meter_limits limits_of_survey(const ser_work *all)
{
    return (ser_meter_limits){.stop = &all->workers[0].stop,
                              .memory = all->decider->options.search.memory * all->jobs};
}

static void hand_over_settled(ser_work *all)
{
    const ser_predict_options *options = &all->decider->options;
    ser_model model =
        options->staged ? ser_model_shown(options->model, all->decider->run) : options->model;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->blocks.count && !all->abandoned; i++) {
        ser_block_result *result = &all->prediction->results.items[i];
        if (all->proofs[i] == SER_STATIC_OPEN)
            continue;
        result->proof = (ser_static_proof)all->proofs[i];
        result->verdict = SER_VERDICT_STATIC;
        result->by_facts = true;
        result->model = model;
        all->open--;
        if (options->done)
            options->done(options->context, result);
    }
    pthread_mutex_unlock(&all->lock);
}

static ser_overrun settle(ser_work *all)
{
    const ser_run *run = all->decider->run;
    all->open = all->blocks.count;
    if (!ser_settle_applies(run, &all->decider->options))
        return SER_OVERRUN_NONE;
    const ser_meter_limits limits = limits_of_survey(all);
    all->proofs = ser_alloc(all->blocks.count, sizeof *all->proofs);
    begin_survey(all);
    ser_overrun overrun = ser_settle_blocks(run, &all->decider->options, all->blocks.items,
                                            all->blocks.count, all->proofs, &limits);
    overrun = end_survey(all, overrun);
    if (!overrun)
        hand_over_settled(all);
    ser_log_info(PREDICT, "facts settle %zu of %zu blocks", all->blocks.count - all->open,
                 all->blocks.count);
    return overrun;
}

/* Takes blocks off the turns that facts settle. */
static void leave_settled(ser_work *all)
{
    size_t kept = 0;
    for (size_t i = 0; all->proofs && i < all->turns.count; i++)
        if (all->proofs[all->turns.items[i]] == SER_STATIC_OPEN)
            all->turns.items[kept++] = all->turns.items[i];
    if (all->proofs)
        all->turns.count = kept;
}

/* --- survey and blocks -------------------------------------------------------------------------
 */

/* If only a few blocks are wanted, a survey of all is not worth its time. */
static ser_overrun survey_run(ser_work *all)
{
    const ser_predict_options *options = &all->decider->options;
    bool is_part = options->together && !all->proofs;
    size_t wanted = is_part ? options->together : all->turns.count;
    bool few = wanted < all->decider->run->blocks.count / FEW_BLOCKS;
    bool cycles = options->search.criterion == SER_CRITERION_SERIALIZABILITY;
    const ser_meter_limits limits = limits_of_survey(all);
    ser_survey_options survey = {
        .guards = !options->no_static && (cycles || !few),
        .two_phase = !options->no_static && cycles,
        .extents = !options->no_static && !few && !all->proofs,
        .parallel = options->jobs > 1,
        .limits = &limits,
    };
    begin_survey(all);
    ser_stage *first = &all->decider->stages[0];
    return end_survey(all, ser_survey_init(&first->survey, first->run, &survey));
}

void ser_work_set_reason(ser_work *all, ser_reason reason)
{
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; !all->abandoned && i < all->prediction->results.count; i++) {
        ser_block_result *result = &all->prediction->results.items[i];
        if (result->verdict == SER_VERDICT_UNKNOWN && !result->reason && !result->skipped)
            result->reason = reason;
    }
    pthread_mutex_unlock(&all->lock);
}

static void run_jobs(ser_work *all)
{
    for (unsigned i = 1; i < all->jobs; i++) {
        ser_worker *other = &all->workers[i];
        other->started = pthread_create(&other->thread, NULL, work_on_blocks, other) == 0;
    }
    work_on_blocks(&all->workers[0]);
    for (unsigned i = 1; i < all->jobs; i++)
        if (all->workers[i].started)
            pthread_join(all->workers[i].thread, NULL);
}

/* The others are not looked at in the next round. */
static void keep_left(ser_work *all)
{
    size_t kept = 0;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->turns.count && !all->abandoned; i++)
        if (all->prediction->results.items[all->turns.items[i]].is_left)
            all->turns.items[kept++] = all->turns.items[i];
    pthread_mutex_unlock(&all->lock);
    all->turns.count = kept;
    atomic_store(&all->next, 0);
}

static void run_rounds(ser_work *all)
{
    const ser_predict_options *options = &all->decider->options;
    bool cycles = options->search.criterion == SER_CRITERION_SERIALIZABILITY;
    if (cycles || options->near) {
        all->decider->round = cycles ? SER_ROUND_PATHS : SER_ROUND_NEAR;
        run_jobs(all);
        keep_left(all);
    }
    all->decider->round = cycles ? SER_ROUND_CYCLES : SER_ROUND_ALL;
    run_jobs(all);
}

/* This may take long, too: limits are watched meanwhile. */
static void set_up(ser_work *all)
{
    ser_worker *own = &all->workers[0];
    begin(own);
    ser_turns_choose(&all->turns, all->decider->run, all->blocks.items, all->blocks.count);
    leave_settled(all);
    if (!all->is_surveyed)
        ser_decider_prepare(all->decider);
    end(own);
}

/* Of the blocks that are open. */
static ser_overrun survey_and_decide(ser_work *all)
{
    set_up(all);
    ser_overrun overrun = all->is_surveyed ? SER_OVERRUN_NONE : survey_run(all);
    ser_log_info(PREDICT, "survey of %u events: %s", all->decider->run->count,
                 overrun ? ser_reason_name(ser_reason_of_overrun(overrun)) : "done");
    all->is_surveyed = !overrun;
    if (!overrun)
        run_rounds(all);
    return overrun;
}

void *ser_work_do(void *context)
{
    ser_work *all = context;
    ser_overrun overrun = settle(all);
    if (!overrun && all->open)
        overrun = survey_and_decide(all);
    if (overrun)
        ser_work_set_reason(all, ser_reason_of_overrun(overrun));
    pthread_mutex_lock(&all->lock);
    all->ended = true;
    pthread_cond_signal(&all->end);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool ser_work_ask(ser_work *all, bool stop, bool out_of_memory)
{
    bool any = stop;
    for (unsigned i = 0; i < all->jobs; i++) {
        ser_worker *other = &all->workers[i];
        if (!atomic_load(&other->busy))
            continue;
        if (out_of_memory)
            atomic_store(&other->out_of_memory, true);
        if (stop || out_of_memory)
            atomic_store(&other->stop, true);
        any |= atomic_load(&other->stop);
    }
    return any;
}
