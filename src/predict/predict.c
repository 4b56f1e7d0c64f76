/* SPDX-License-Identifier: MIT */
/*
 * Threads take blocks from a common counter (work_on_blocks). A block's way is
 * decide_block: static check, segment, task, engine, witness.
 */
#include "predict/predict.h"

#include <pthread.h>

#include "base/clock.h"
#include "predict/build.h"
#include "predict/portfolio.h"
#include "predict/relevance.h"
#include "predict/reuse.h"
#include "predict/survey.h"
#include "predict/tas.h"
#include "predict/turns.h"
#include "witness/minimise.h"

enum { FEW_BLOCKS = 8 }; /* fewer than one of so many */
enum { NANOSECONDS = 1000000000, WATCH_NANOSECONDS = 50000000 };

/* Each needs memory for every event, so there are not as many as threads may be. */
enum { CHECKERS = 4 };

typedef struct guarded_checker {
    pthread_mutex_t lock;
    ser_checker *checker; /* NULL until there is a witness */
} guarded_checker;

typedef struct work {
    const ser_run *run;
    const ser_predict_options *options;
    ser_survey survey;
    ser_reuse *reuse;
    ser_prediction *prediction;
    ser_turns turns; /* results in the order in which they are worked on */
    atomic_size_t next;
    atomic_bool stop;
    atomic_uint workers; /* that have begun: each uses one of the checkers */
    guarded_checker checkers[CHECKERS];
    pthread_mutex_t lock; /* for all below, and for options->done */
    pthread_cond_t end;   /* of the work: for who watches it */
    bool ended;
    ser_status status;
    ser_error *error;
} work;

/* Of the thread that works on blocks. */
static _Thread_local unsigned worker_number;

static uint32_t count_block_events(const ser_run *run, const ser_run_block *block)
{
    uint32_t last = block->end ? run->eid[block->end]
                               : (uint32_t)run->threads.items[block->thread].events.count;
    return last - run->eid[block->begin] + 1;
}

/* The whole interleaving: the start of the segment, then the engine's steps. */
static void assemble_witness(const ser_run *run, const ser_segment *segment, const ser_task *task,
                             const ser_answer *answer, ser_event_list *order)
{
    ser_segment_start(segment, run, order);
    for (size_t i = 0; i < answer->order.count; i++)
        ser_vector_push(order, task->steps.items[answer->order.items[i]].event);
}

static bool asks_for_cycles(const work *all)
{
    return all->options->search.criterion == SER_CRITERION_SERIALIZABILITY;
}

static ser_status check_order(work *all, uint32_t block, const ser_event_list *order,
                              ser_witness_facts *facts, ser_error *error)
{
    guarded_checker *own = &all->checkers[worker_number % CHECKERS];
    pthread_mutex_lock(&own->lock);
    if (!own->checker)
        own->checker = ser_checker_create(all->run->events, all->run->count, all->run->reads);
    ser_status status =
        ser_checker_check(own->checker, all->run->blocks.items[block].begin, asks_for_cycles(all),
                          order->items, order->count, facts, error);
    pthread_mutex_unlock(&own->lock);
    return status;
}

/* A smaller witness takes the place of the one found, if it is one. */
static ser_status minimise_witness(work *all, ser_block_result *result, ser_error *error)
{
    ser_event_list small = {0};
    ser_witness_facts facts = {0};
    ser_vector_reserve(&small, result->order.count);
    memcpy(small.items, result->order.items, result->order.count * sizeof *small.items);
    small.count = result->order.count;
    ser_witness_minimise(all->run, &small, result->facts.path.items, result->facts.path.count);
    ser_status status = check_order(all, result->block, &small, &facts, error);
    if (status != SER_OK) {
        ser_vector_free(&small);
        ser_witness_facts_fini(&facts);
        return status;
    }
    ser_vector_free(&result->order);
    ser_witness_facts_fini(&result->facts);
    result->order = small;
    result->facts = facts;
    return SER_OK;
}

/* No witness, no report. */
static void accept_witness(work *all, ser_block_result *result)
{
    ser_error error = {0};
    ser_status status = check_order(all, result->block, &result->order, &result->facts, &error);
    if (status == SER_OK && !all->options->no_minimise)
        status = minimise_witness(all, result, &error);
    if (status == SER_OK) {
        result->verdict = SER_VERDICT_VIOLATION;
        return;
    }
    pthread_mutex_lock(&all->lock);
    if (all->status == SER_OK)
        all->status = ser_fail(all->error, SER_INTERNAL,
                               "the witness for the block at event %u is refused: %s",
                               all->run->blocks.items[result->block].begin, error.text);
    atomic_store(&all->stop, true);
    pthread_mutex_unlock(&all->lock);
}

/* By the engine asked for or the portfolio, unless the same task was decided before. */
static const ser_search_engine *decide_task(work *all, const ser_task *task, ser_answer *answer)
{
    ser_search_options search = all->options->search;
    const ser_search_engine *engine = ser_reuse_find(all->reuse, task, answer);
    if (engine)
        return engine;
    search.stop = &all->stop;
    if (all->options->timeout > 0)
        search.deadline = ser_clock_now() + all->options->timeout;
    engine = all->options->engine;
    if (engine)
        engine->run(task, &search, answer);
    else
        engine = ser_portfolio_run(task, &search, answer);
    ser_reuse_keep(all->reuse, task, engine, answer);
    return engine;
}

static void search_block(work *all, ser_block_result *result, const ser_segment *segment)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_task *task = ser_task_build(all->run, all->survey.index, result->block, segment);
    const ser_search_engine *engine = decide_task(all, task, &answer);
    result->explored = answer.explored;
    result->constraints = answer.constraints;
    result->reason = answer.outcome == SER_UNKNOWN ? answer.reason : SER_REASON_NONE;
    result->engine = engine->name;
    if (answer.outcome == SER_NO_VIOLATION)
        result->verdict = SER_VERDICT_NONE;
    if (answer.outcome == SER_VIOLATED) {
        assemble_witness(all->run, segment, task, &answer, &result->order);
        accept_witness(all, result);
    }
    ser_answer_fini(&answer);
    ser_task_destroy(task);
}

/* How many events lie between the block's frontiers. */
static uint64_t extent_of(const work *all, uint32_t block)
{
    if (all->survey.extents)
        return all->survey.extents[block];
    ser_segment *frontiers = ser_tas_frontiers(all->survey.order, block);
    uint64_t size = ser_segment_size(frontiers);
    ser_segment_destroy(frontiers);
    return size;
}

static ser_static_proof check_between_frontiers(const work *all, ser_block_result *result)
{
    ser_segment *frontiers = ser_tas_frontiers(all->survey.order, result->block);
    result->segment = ser_segment_size(frontiers);
    ser_static_proof proof =
        ser_static_check(all->survey.order, all->survey.index, result->block, frontiers);
    ser_segment_destroy(frontiers);
    return proof;
}

/* The criterion of serializability contracts other blocks, too: what is proven for paths
 * does not hold there. */
static ser_static_proof check_cycles(const work *all, uint32_t block)
{
    return all->survey.two_phase && ser_two_phase_proves(all->survey.two_phase, all->run, block)
               ? SER_STATIC_TWO_PHASE
               : SER_STATIC_OPEN;
}

static ser_static_proof check_whole_run(const work *all, uint32_t block)
{
    if (asks_for_cycles(all))
        return check_cycles(all, block);
    return all->survey.guards ? ser_static_check_run(all->survey.order, all->survey.guards, block)
                              : SER_STATIC_OPEN;
}

/* By the static check, if it is wanted and knows. A block without accesses is on no
 * path and no cycle. */
static ser_static_proof check_statically(const work *all, ser_block_result *result)
{
    if (!ser_block_first_access(all->run, result->block))
        return SER_STATIC_FEW_ACCESSES;
    if (all->options->no_static)
        return SER_STATIC_OPEN;
    ser_static_proof proof = check_whole_run(all, result->block);
    if (proof != SER_STATIC_OPEN)
        result->segment = extent_of(all, result->block);
    else if (!asks_for_cycles(all))
        proof = check_between_frontiers(all, result);
    return proof;
}

static void settle_statically(ser_block_result *result, ser_static_proof proof)
{
    result->proof = proof;
    result->verdict = SER_VERDICT_STATIC;
    result->engine = "static";
}

/* The part of the run to search in; NULL if the block was settled on the way. What
 * cannot matter is cut off below, which may let the segment begin later above. */
static ser_segment *find_segment(const work *all, ser_block_result *result)
{
    if (all->options->no_segment || asks_for_cycles(all))
        return ser_segment_whole(all->run);
    ser_segment *segment = ser_tas_frontiers(all->survey.order, result->block);
    ser_tas_grow(all->survey.order, all->survey.index, result->block, segment);
    if (!ser_relevance_trim(all->survey.order, result->block, segment) &&
        !all->options->no_static) {
        settle_statically(result, SER_STATIC_NO_PATH);
        ser_segment_destroy(segment);
        return NULL;
    }
    ser_tas_grow(all->survey.order, all->survey.index, result->block, segment);
    return segment;
}

static void decide_block(work *all, ser_block_result *result)
{
    ser_static_proof proof = check_statically(all, result);
    if (proof != SER_STATIC_OPEN) {
        settle_statically(result, proof);
        return;
    }
    ser_segment *segment = find_segment(all, result);
    if (!segment)
        return;
    result->segment = ser_segment_size(segment);
    search_block(all, result, segment);
    ser_segment_destroy(segment);
}

static bool must_stop(work *all)
{
    if (all->options->should_stop && all->options->should_stop())
        atomic_store(&all->stop, true);
    return atomic_load(&all->stop);
}

static bool is_still_wanted(work *all, uint32_t block)
{
    const ser_predict_options *options = all->options;
    if (!options->still_wanted)
        return true;
    pthread_mutex_lock(&all->lock);
    bool wanted = options->still_wanted(options->context, all->run, block);
    pthread_mutex_unlock(&all->lock);
    return wanted;
}

static void *work_on_blocks(void *context)
{
    work *all = context;
    worker_number = atomic_fetch_add(&all->workers, 1);
    for (;;) {
        size_t number = atomic_fetch_add(&all->next, 1);
        if (number >= all->turns.count)
            return NULL;
        ser_block_result *result = &all->prediction->results.items[all->turns.items[number]];
        if (must_stop(all)) {
            result->reason = SER_REASON_INTERRUPTED;
            continue;
        }
        if (!is_still_wanted(all, result->block)) {
            result->skipped = true;
            continue;
        }
        double start = ser_clock_now();
        decide_block(all, result);
        result->seconds = ser_clock_now() - start;
        pthread_mutex_lock(&all->lock);
        if (all->options->done)
            all->options->done(all->options->context, result);
        pthread_mutex_unlock(&all->lock);
    }
}

static void list_blocks(work *all)
{
    const ser_run *run = all->run;
    SER_VECTOR(uint32_t) blocks = {0};
    for (uint32_t i = 0; i < run->blocks.count; i++) {
        if (all->options->wanted && !all->options->wanted(all->options->context, run, i))
            continue;
        ser_block_result result = {.block = i, .engine = "static"};
        result.events = count_block_events(run, &run->blocks.items[i]);
        ser_vector_push(&all->prediction->results, result);
        ser_vector_push(&blocks, i);
    }
    ser_turns_choose(&all->turns, run, blocks.items, blocks.count);
    ser_vector_free(&blocks);
}

/* If but a few blocks are wanted, to look at all of them is not worth its time. */
static void survey_run(work *all)
{
    bool few = all->prediction->results.count < all->run->blocks.count / FEW_BLOCKS;
    bool cycles = asks_for_cycles(all), no_static = all->options->no_static;
    ser_survey_options options = {
        .guards = !no_static && (cycles || !few),
        .two_phase = !no_static && cycles,
        .extents = !no_static && !few,
        .parallel = all->options->jobs > 1,
    };
    ser_survey_init(&all->survey, all->run, &options);
}

/* Searches look at all->stop only: somebody must ask while they search. */
static void *watch(void *context)
{
    work *all = context;
    pthread_mutex_lock(&all->lock);
    while (!all->ended && !must_stop(all)) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += WATCH_NANOSECONDS;
        next.tv_sec += next.tv_nsec / NANOSECONDS;
        next.tv_nsec %= NANOSECONDS;
        pthread_cond_timedwait(&all->end, &all->lock, &next);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void end_watch(work *all, pthread_t watcher)
{
    pthread_mutex_lock(&all->lock);
    all->ended = true;
    pthread_cond_signal(&all->end);
    pthread_mutex_unlock(&all->lock);
    pthread_join(watcher, NULL);
}

static void run_jobs(work *all)
{
    unsigned jobs = all->options->jobs;
    if (jobs > all->prediction->results.count)
        jobs = (unsigned)all->prediction->results.count;
    SER_VECTOR(pthread_t) threads = {0};
    pthread_t watcher;
    bool watched = all->options->should_stop && pthread_create(&watcher, NULL, watch, all) == 0;
    for (unsigned i = 1; i < jobs; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work_on_blocks, all) == 0)
            ser_vector_push(&threads, thread);
    }
    work_on_blocks(all);
    for (size_t i = 0; i < threads.count; i++)
        pthread_join(threads.items[i], NULL);
    ser_vector_free(&threads);
    if (watched)
        end_watch(all, watcher);
}

ser_status ser_predict(ser_prediction *prediction, const ser_run *run,
                       const ser_predict_options *options, ser_error *error)
{
    *prediction = (ser_prediction){.run = run};
    work all = {.run = run, .options = options, .prediction = prediction, .error = error};
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.end, NULL);
    for (size_t i = 0; i < CHECKERS; i++)
        pthread_mutex_init(&all.checkers[i].lock, NULL);
    all.reuse = ser_reuse_create();
    list_blocks(&all);
    survey_run(&all);
    run_jobs(&all);
    ser_vector_free(&all.turns);
    ser_reuse_destroy(all.reuse);
    for (size_t i = 0; i < CHECKERS; i++) {
        ser_checker_destroy(all.checkers[i].checker);
        pthread_mutex_destroy(&all.checkers[i].lock);
    }
    ser_survey_fini(&all.survey);
    pthread_cond_destroy(&all.end);
    pthread_mutex_destroy(&all.lock);
    return all.status;
}

void ser_prediction_fini(ser_prediction *prediction)
{
    for (size_t i = 0; i < prediction->results.count; i++) {
        ser_vector_free(&prediction->results.items[i].order);
        ser_witness_facts_fini(&prediction->results.items[i].facts);
    }
    ser_vector_free(&prediction->results);
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
    };
    return names[reason];
}
