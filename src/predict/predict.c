/* SPDX-License-Identifier: MIT */
/*
 * Threads decide the blocks (workers.h). The caller's thread watches them (watch): it passes on
 * requests to stop, checks how much memory they use, and abandons them if they do not stop in time.
 */
#include "predict/predict.h"

#include "base/clock.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/output/topics.h"
#include "predict/workers.h"

enum { NANOSECONDS = 1000000000, WATCH_NANOSECONDS = 20000000 };

/* What the process may use besides the memory of its jobs: a fixed part, or if the trace takes
 * more, the trace and a smaller part. */
enum { FIXED_BYTES = 160 << 20, SLACK_BYTES = 60 << 20 };

/* How long a thread may go on after it was asked to stop. */
static const double GRACE_SECONDS = 0.8;

static uint32_t count_block_events(const ser_run *run, const ser_run_block *block)
{
    uint32_t last = block->end ? run->eid[block->end]
                               : (uint32_t)run->threads.items[block->thread].events.count;
    return last - run->eid[block->begin] + 1 + block->spared;
}

/* --- watching it ----------------------------------------------------------------- */

static void wait_a_moment(ser_work *all)
{
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_nsec += WATCH_NANOSECONDS;
    next.tv_sec += next.tv_nsec / NANOSECONDS;
    next.tv_nsec %= NANOSECONDS;
    pthread_cond_timedwait(&all->end, &all->lock, &next);
}

static bool uses_too_much(const ser_work *all)
{
    return all->memory && ser_host_resident() > all->memory;
}

/* Until the work has ended, or no longer than it may take to stop. The lock is held. */
static void watch(ser_work *all)
{
    double asked = 0; /* since when threads have been asked to stop and have not */
    while (!all->ended) {
        bool any = ser_work_ask(all, ser_work_must_stop(all), uses_too_much(all));
        double now = ser_clock_now();
        asked = !any ? 0 : asked > 0 ? asked : now;
        if (asked > 0 && now - asked > GRACE_SECONDS)
            return;
        wait_a_moment(all);
    }
}

static void abandon(ser_work *all)
{
    bool stopped = atomic_load(&all->stop);
    pthread_mutex_unlock(&all->lock);
    ser_work_set_reason(all, stopped ? SER_REASON_INTERRUPTED : SER_REASON_MEMORY);
    pthread_mutex_lock(&all->lock);
    atomic_store(&all->stop, true);
    all->prediction->abandoned = all->abandoned = true;
    ser_threads_abandoned();
}

/* Did it end? If not, its threads go on for a while, with all that they use. */
static bool work_and_watch(ser_work *all)
{
    pthread_t conductor;
    if (!all->decider->options.should_stop || pthread_create(&conductor, NULL, ser_work_do, all)) {
        ser_work_do(all);
        return true;
    }
    pthread_mutex_lock(&all->lock);
    watch(all);
    bool ended = all->ended;
    if (!ended)
        abandon(all);
    pthread_mutex_unlock(&all->lock);
    if (ended)
        pthread_join(conductor, NULL);
    else
        pthread_detach(conductor);
    return ended;
}

/* --- the whole ---------------------------------------------------------------------- */

/* What is asked of a block a little later is fetched now. */
static inline void fetch_ahead(const ser_run *run, uint32_t block)
{
    enum { AHEAD = 16 };
    if (run->blocks.count - block <= AHEAD)
        return;
    const ser_run_block *later = &run->blocks.items[block + AHEAD];
    __builtin_prefetch(&run->eid[later->begin]);
    __builtin_prefetch(&run->eid[later->end]);
}

static void list_blocks(ser_work *all)
{
    const ser_run *run = all->decider->run;
    const ser_predict_options *options = &all->decider->options;
    for (uint32_t i = 0; i < run->blocks.count; i++) {
        fetch_ahead(run, i);
        if (options->wanted && !options->wanted(options->context, run, i))
            continue;
        ser_block_result result = {.block = i, .engine = "static"};
        result.events = count_block_events(run, &run->blocks.items[i]);
        ser_vector_push(&all->prediction->results, result);
        ser_vector_push(&all->blocks, i);
    }
}

static void create_workers(ser_work *all)
{
    const ser_predict_options *options = &all->decider->options;
    all->jobs = options->jobs;
    if (all->jobs > all->prediction->results.count)
        all->jobs = (unsigned)all->prediction->results.count;
    if (!all->jobs)
        all->jobs = 1;
    all->workers = ser_alloc(all->jobs, sizeof *all->workers);
    for (unsigned i = 0; i < all->jobs; i++) {
        all->workers[i].all = all;
        all->workers[i].number = i;
    }
    size_t own = (size_t)ser_host_resident() + SLACK_BYTES;
    if (options->search.memory)
        all->memory = options->search.memory * all->jobs + (own > FIXED_BYTES ? own : FIXED_BYTES);
}

/* What was found out near a block says more than that there was no time for the rest. */
static void bound_unknown(ser_prediction *prediction)
{
    for (size_t i = 0; i < prediction->results.count; i++) {
        ser_block_result *result = &prediction->results.items[i];
        bool is_cut = result->reason == SER_REASON_TIME || result->reason == SER_REASON_MEMORY ||
                      result->reason == SER_REASON_INTERRUPTED;
        if (result->verdict == SER_VERDICT_UNKNOWN && is_cut && result->bound.last)
            result->reason = SER_REASON_WINDOW;
    }
}

/* For the prediction, if it wants it and it is complete. */
static void hand_over_survey(ser_work *all)
{
    if (!all->decider->options.keep_survey || !all->is_surveyed ||
        all->decider->stages[0].model != SER_MODEL_AVP)
        return;
    all->prediction->survey = ser_alloc(1, sizeof *all->prediction->survey);
    *all->prediction->survey = all->decider->stages[0].survey;
    all->decider->stages[0].survey = (ser_survey){0};
}

static void destroy_work(ser_work *all)
{
    if (all->keeps_decider && all->is_surveyed)
        *all->decider->options.kept = all->decider;
    else
        ser_decider_destroy(all->decider);
    free(all->proofs);
    ser_vector_free(&all->turns);
    ser_vector_free(&all->blocks);
    free(all->workers);
    pthread_cond_destroy(&all->end);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

/* It is the work's until the work has ended. */
static void take_decider(ser_work *all, const ser_run *run, const ser_predict_options *options)
{
    all->keeps_decider = options->kept && !options->keep_survey;
    all->decider = all->keeps_decider ? *options->kept : NULL;
    all->is_surveyed = all->decider != NULL;
    if (all->keeps_decider)
        *options->kept = NULL;
    if (all->decider)
        all->decider->options = *options;
    else
        all->decider = ser_decider_create(run, options);
}

ser_status ser_predict(ser_prediction *prediction, const ser_run *run,
                       const ser_predict_options *options, ser_error *error)
{
    *prediction = (ser_prediction){.run = run};
    ser_work *all = ser_alloc(1, sizeof *all);
    take_decider(all, run, options);
    all->prediction = prediction;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->end, NULL);
    list_blocks(all);
    create_workers(all);
    ser_log_info(PREDICT, "%zu blocks to decide, %u at a time", prediction->results.count,
                 all->jobs);
    bool ended = work_and_watch(all);
    ser_log_info(PREDICT, "%s", ended ? "all blocks were looked at" : "threads were left behind");
    pthread_mutex_lock(&all->lock);
    ser_status status = all->status;
    if (status != SER_OK)
        *error = all->error;
    pthread_mutex_unlock(&all->lock);
    bound_unknown(prediction);
    if (ended) {
        hand_over_survey(all);
        destroy_work(all);
    }
    return status;
}
