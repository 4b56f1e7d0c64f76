/* SPDX-License-Identifier: MIT */
/*
 * Threads take blocks from a common counter (work_on_blocks), each decided by decide.c. The
 * caller's thread watches them (watch): it passes on requests to stop, checks how much memory they
 * use, and abandons them if they do not stop in time. Results are handed over under a lock, so that
 * abandoned threads change nothing any more.
 */
#include "predict/predict.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/output/topics.h"
#include "predict/decide/decide.h"
#include "predict/settle.h"
#include "predict/turns.h"

enum { FEW_BLOCKS = 8 }; /* fewer than one of so many */
enum { NANOSECONDS = 1000000000, WATCH_NANOSECONDS = 20000000 };

/* What the process may use besides the memory of its jobs: a fixed part, or if the trace takes
 * more, the trace and a smaller part. */
enum { FIXED_BYTES = 160 << 20, SLACK_BYTES = 60 << 20 };

/* How long a thread may go on after it was asked to stop. */
static const double GRACE_SECONDS = 0.8;

typedef struct work work;

/* A thread that works on blocks. */
typedef struct worker {
    work *all;
    unsigned number;
    atomic_bool busy; /* with the survey or a block */
    atomic_bool stop; /* soon: everything, or, if memory runs out, only the current block */
    atomic_bool out_of_memory;
    pthread_t thread;
    bool started;
    ser_error error; /* too large to be cleared for each block */
} worker;

struct work {
    ser_decider *decider;
    bool keeps_decider; /* for the caller, who has it from the beginning if it has a survey */
    SER_VECTOR(uint32_t) blocks; /* that are wanted: of each result */
    uint8_t *proofs;             /* of these, by facts (settle.h); NULL: not looked for */
    size_t open;                 /* blocks that these do not settle */
    ser_turns turns;             /* results in the order in which they are worked on */
    atomic_size_t next;
    atomic_bool stop;
    unsigned jobs;
    worker *workers;      /* jobs of them; the first one makes the survey */
    size_t memory;        /* of the process, that it may not use up; 0: no limit */
    pthread_mutex_t lock; /* for all below, and for callbacks */
    pthread_cond_t end;   /* of the work: for the thread that watches it */
    bool ended, abandoned;
    bool is_surveyed;           /* no limit was reached on the way */
    ser_prediction *prediction; /* not to be touched once the work was abandoned */
    ser_status status;
    ser_error error;
};

static uint32_t count_block_events(const ser_run *run, const ser_run_block *block)
{
    uint32_t last = block->end ? run->eid[block->end]
                               : (uint32_t)run->threads.items[block->thread].events.count;
    return last - run->eid[block->begin] + 1 + block->spared;
}

/* --- the work ------------------------------------------------------------------ */

static bool is_still_wanted(work *all, uint32_t block)
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

static bool must_stop(work *all)
{
    const ser_predict_options *options = &all->decider->options;
    if (options->should_stop && options->should_stop())
        atomic_store(&all->stop, true);
    return atomic_load(&all->stop);
}

/* The result as it was listed; what is found out is put there by hand_over. */
static ser_block_result look_up(work *all, uint32_t place)
{
    pthread_mutex_lock(&all->lock);
    ser_block_result result = {0};
    if (!all->abandoned)
        result = all->prediction->results.items[place];
    pthread_mutex_unlock(&all->lock);
    return result;
}

static void log_result(const work *all, const ser_block_result *result)
{
    ser_log_debug(PREDICT, "block at event %u: %s by %s, %llu events to look at, %llu states%s%s%s",
                  all->decider->run->blocks.items[result->block].begin,
                  ser_verdict_name(result->verdict), result->engine,
                  (unsigned long long)result->segment, (unsigned long long)result->explored,
                  result->reason ? ", not decided: " : "",
                  result->reason ? ser_reason_name(result->reason) : "",
                  result->skipped ? ", skipped: enough is known of its code" : "");
}

static void hand_over(work *all, uint32_t place, const ser_block_result *result, bool decided)
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

static void note_fault(work *all, const ser_error *error)
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
static void begin(worker *own)
{
    atomic_store(&own->out_of_memory, false);
    atomic_store(&own->stop, false);
    atomic_store(&own->busy, true);
}

/* Was the worker asked to stop because of memory, and nothing else? */
static bool end(worker *own)
{
    atomic_store(&own->busy, false);
    return atomic_load(&own->out_of_memory) && !atomic_load(&own->all->stop);
}

/* False: there was no time left to begin. */
static bool decide(worker *own, ser_block_result *result)
{
    work *all = own->all;
    begin(own);
    bool begun = !must_stop(all);
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
    worker *own = context;
    work *all = own->all;
    for (;;) {
        size_t number = atomic_fetch_add(&all->next, 1);
        if (number >= all->turns.count)
            return NULL;
        uint32_t place = all->turns.items[number];
        ser_block_result result = look_up(all, place);
        result.skipped = !must_stop(all) && !is_still_wanted(all, result.block);
        bool decided = !result.skipped && decide(own, &result);
        hand_over(all, place, &result, decided);
    }
}

/* --- facts first --------------------------------------------------------------- */

static void hand_over_settled(work *all)
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
        result->model = model;
        all->open--;
        if (options->done)
            options->done(options->context, result);
    }
    pthread_mutex_unlock(&all->lock);
}

static ser_meter_limits limits_of_survey(const work *all)
{
    return (ser_meter_limits){.stop = &all->workers[0].stop,
                              .memory = all->decider->options.search.memory * all->jobs};
}

/* Was the time that it took lost? Then it was for lack of memory, or all must stop. */
static ser_overrun end_survey(worker *own, ser_overrun overrun)
{
    return end(own) && overrun == SER_OVERRUN_STOP ? SER_OVERRUN_MEMORY : overrun;
}

static void begin_survey(work *all)
{
    begin(&all->workers[0]);
    if (must_stop(all))
        atomic_store(&all->workers[0].stop, true);
}

static ser_overrun settle(work *all)
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
    overrun = end_survey(&all->workers[0], overrun);
    if (!overrun)
        hand_over_settled(all);
    return overrun;
}

/* If only a few blocks are wanted, a survey of all is not worth its time. The survey may use as
 * much memory as all blocks that are worked on at the same time. */
static ser_overrun survey_run(work *all)
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
    ser_overrun overrun = ser_survey_init(&first->survey, first->run, &survey);
    return end_survey(&all->workers[0], overrun);
}

/* Of all blocks about which nothing is known. */
static void set_reason(work *all, ser_reason reason)
{
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; !all->abandoned && i < all->prediction->results.count; i++) {
        ser_block_result *result = &all->prediction->results.items[i];
        if (result->verdict == SER_VERDICT_UNKNOWN && !result->reason && !result->skipped)
            result->reason = reason;
    }
    pthread_mutex_unlock(&all->lock);
}

static void run_jobs(work *all)
{
    for (unsigned i = 1; i < all->jobs; i++) {
        worker *other = &all->workers[i];
        other->started = pthread_create(&other->thread, NULL, work_on_blocks, other) == 0;
    }
    work_on_blocks(&all->workers[0]);
    for (unsigned i = 1; i < all->jobs; i++)
        if (all->workers[i].started)
            pthread_join(all->workers[i].thread, NULL);
}

/* Takes blocks off the turns that facts settle. */
static void leave_settled(work *all)
{
    size_t kept = 0;
    for (size_t i = 0; all->proofs && i < all->turns.count; i++)
        if (all->proofs[all->turns.items[i]] == SER_STATIC_OPEN)
            all->turns.items[kept++] = all->turns.items[i];
    if (all->proofs)
        all->turns.count = kept;
}

/* This may take long, too: limits are watched meanwhile. */
static void set_up(work *all)
{
    worker *own = &all->workers[0];
    begin(own);
    ser_turns_choose(&all->turns, all->decider->run, all->blocks.items, all->blocks.count);
    leave_settled(all);
    if (!all->is_surveyed)
        ser_decider_prepare(all->decider);
    end(own);
}

/* Of the blocks that are open. */
static ser_overrun survey_and_decide(work *all)
{
    set_up(all);
    ser_overrun overrun = all->is_surveyed ? SER_OVERRUN_NONE : survey_run(all);
    ser_log_info(PREDICT, "survey of %u events: %s", all->decider->run->count,
                 overrun ? ser_reason_name(ser_reason_of_overrun(overrun)) : "done");
    all->is_surveyed = !overrun;
    if (!overrun)
        run_jobs(all);
    return overrun;
}

static void *do_work(void *context)
{
    work *all = context;
    ser_overrun overrun = settle(all);
    ser_log_info(PREDICT, "facts settle %zu of %zu blocks", all->blocks.count - all->open,
                 all->blocks.count);
    if (!overrun && all->open)
        overrun = survey_and_decide(all);
    if (overrun)
        set_reason(all, ser_reason_of_overrun(overrun));
    pthread_mutex_lock(&all->lock);
    all->ended = true;
    pthread_cond_signal(&all->end);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* --- watching it ----------------------------------------------------------------- */

static void wait_a_moment(work *all)
{
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_nsec += WATCH_NANOSECONDS;
    next.tv_sec += next.tv_nsec / NANOSECONDS;
    next.tv_nsec %= NANOSECONDS;
    pthread_cond_timedwait(&all->end, &all->lock, &next);
}

static bool uses_too_much(const work *all)
{
    return all->memory && ser_host_resident() > all->memory;
}

/* Are there threads that were asked to stop, and have not yet? */
static bool ask_workers(work *all, bool stop, bool out_of_memory)
{
    bool any = stop;
    for (unsigned i = 0; i < all->jobs; i++) {
        worker *other = &all->workers[i];
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

/* Until the work has ended, or no longer than it may take to stop. The lock is held. */
static void watch(work *all)
{
    double asked = 0; /* since when threads have been asked to stop and have not */
    while (!all->ended) {
        bool any = ask_workers(all, must_stop(all), uses_too_much(all));
        double now = ser_clock_now();
        asked = !any ? 0 : asked > 0 ? asked : now;
        if (asked > 0 && now - asked > GRACE_SECONDS)
            return;
        wait_a_moment(all);
    }
}

static void abandon(work *all)
{
    bool stopped = atomic_load(&all->stop);
    pthread_mutex_unlock(&all->lock);
    set_reason(all, stopped ? SER_REASON_INTERRUPTED : SER_REASON_MEMORY);
    pthread_mutex_lock(&all->lock);
    atomic_store(&all->stop, true);
    all->prediction->abandoned = all->abandoned = true;
    ser_threads_abandoned();
}

/* Did it end? If not, its threads go on for a while, with all that they use. */
static bool work_and_watch(work *all)
{
    pthread_t conductor;
    if (!all->decider->options.should_stop || pthread_create(&conductor, NULL, do_work, all)) {
        do_work(all);
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

static void list_blocks(work *all)
{
    const ser_run *run = all->decider->run;
    const ser_predict_options *options = &all->decider->options;
    for (uint32_t i = 0; i < run->blocks.count; i++) {
        if (options->wanted && !options->wanted(options->context, run, i))
            continue;
        ser_block_result result = {.block = i, .engine = "static"};
        result.events = count_block_events(run, &run->blocks.items[i]);
        ser_vector_push(&all->prediction->results, result);
        ser_vector_push(&all->blocks, i);
    }
}

static void create_workers(work *all)
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

/* For the prediction, if it wants it and it is complete. */
static void hand_over_survey(work *all)
{
    if (!all->decider->options.keep_survey || !all->is_surveyed ||
        all->decider->stages[0].model != SER_MODEL_AVP)
        return;
    all->prediction->survey = ser_alloc(1, sizeof *all->prediction->survey);
    *all->prediction->survey = all->decider->stages[0].survey;
    all->decider->stages[0].survey = (ser_survey){0};
}

static void destroy_work(work *all)
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
static void take_decider(work *all, const ser_run *run, const ser_predict_options *options)
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
    work *all = ser_alloc(1, sizeof *all);
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
    if (ended) {
        hand_over_survey(all);
        destroy_work(all);
    }
    return status;
}

static void free_triple_witnesses(ser_block_result *result)
{
    for (size_t i = 0; i < result->triple_witnesses.count; i++) {
        ser_vector_free(&result->triple_witnesses.items[i].order);
        ser_witness_facts_fini(&result->triple_witnesses.items[i].facts);
    }
    ser_vector_free(&result->triple_witnesses);
}

void ser_block_result_fini(ser_block_result *result)
{
    ser_vector_free(&result->order);
    ser_witness_facts_fini(&result->facts);
    ser_vector_free(&result->real_triples);
    free_triple_witnesses(result);
}

void ser_prediction_fini(ser_prediction *prediction)
{
    for (size_t i = 0; i < prediction->results.count; i++)
        ser_block_result_fini(&prediction->results.items[i]);
    ser_vector_free(&prediction->results);
    if (prediction->survey)
        ser_survey_fini(prediction->survey);
    free(prediction->survey);
    prediction->survey = NULL;
}

const char *ser_verdict_name(ser_verdict verdict)
{
    static const char *const names[] = {
        [SER_VERDICT_UNKNOWN] = "unknown",
        [SER_VERDICT_STATIC] = "static",
        [SER_VERDICT_NONE] = "none",
        [SER_VERDICT_VIOLATION] = "violation",
    };
    return names[verdict];
}

const char *ser_reason_name(ser_reason reason)
{
    static const char *const names[] = {
        [SER_REASON_TIME] = "time",
        [SER_REASON_MEMORY] = "memory",
        [SER_REASON_SWITCHES] = "switches",
        [SER_REASON_SOLVER] = "solver",
        [SER_REASON_INTERRUPTED] = "interrupted",
        [SER_REASON_VALUES] = "values",
        [SER_REASON_WINDOW] = "window",
    };
    return names[reason];
}
