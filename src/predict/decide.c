/* SPDX-License-Identifier: MIT */
/*
 * A block's way is decide_by: static check, segment, task, engine, witness.
 */
#include "predict/decide.h"

#include "base/clock.h"
#include "predict/portfolio.h"
#include "predict/segment/relevance.h"
#include "predict/segment/tas.h"
#include "predict/task/build.h"
#include "witness/minimise.h"

/* What is needed to decide one block. */
typedef struct decision {
    ser_decider *shared;
    const ser_run *run;
    const ser_predict_options *options;
    const ser_survey *survey;
    unsigned worker;
    ser_meter_limits limits;
    ser_meter meter;
    ser_status status;
    ser_error *error;
} decision;

/* The checker of witnesses finds equal values by itself. */
static void use_model(ser_decider *decider, const ser_run *run)
{
    ser_model model = decider->options.model;
    if (model == SER_MODEL_DATA) {
        ser_model_make_data(&decider->rules, run);
        decider->with_rules = *run;
        decider->with_rules.reads = &decider->rules;
        decider->run = &decider->with_rules;
    }
    if (model == SER_MODEL_DATA)
        decider->checked_model.equal_values = true;
    else
        decider->checked_model.reads = decider->run->reads;
}

void ser_decider_init(ser_decider *decider, const ser_run *run, const ser_predict_options *options)
{
    decider->run = run;
    decider->options = *options;
    use_model(decider, run);
    decider->reuse = ser_reuse_create();
    for (size_t i = 0; i < SER_CHECKERS; i++)
        pthread_mutex_init(&decider->checkers[i].lock, NULL);
}

void ser_decider_fini(ser_decider *decider)
{
    ser_reuse_destroy(decider->reuse);
    for (size_t i = 0; i < SER_CHECKERS; i++) {
        ser_checker_destroy(decider->checkers[i].checker);
        ser_checker_destroy(decider->checkers[i].by_avp);
        pthread_mutex_destroy(&decider->checkers[i].lock);
    }
    ser_survey_fini(&decider->survey);
    ser_reads_fini(&decider->rules);
}

ser_reason ser_reason_of_overrun(ser_overrun overrun)
{
    static const ser_reason reasons[] = {
        [SER_OVERRUN_NONE] = SER_REASON_NONE,
        [SER_OVERRUN_STOP] = SER_REASON_INTERRUPTED,
        [SER_OVERRUN_TIME] = SER_REASON_TIME,
        [SER_OVERRUN_MEMORY] = SER_REASON_MEMORY,
    };
    return reasons[overrun];
}

/* The whole interleaving: the start of the segment, then the engine's steps. */
static void assemble_witness(const ser_run *run, const ser_segment *segment, const ser_task *task,
                             const ser_answer *answer, ser_event_list *order)
{
    ser_segment_start(segment, run, order);
    for (size_t i = 0; i < answer->order.count; i++)
        ser_vector_push(order, task->steps.items[answer->order.items[i]].event);
}

static bool asks_for_cycles(decision *all)
{
    return all->options->search.criterion == SER_CRITERION_SERIALIZABILITY;
}

static ser_status check_order(decision *all, uint32_t block, const ser_event_list *order,
                              ser_witness_facts *facts, ser_error *error)
{
    ser_guarded_checker *own = &all->shared->checkers[all->worker % SER_CHECKERS];
    pthread_mutex_lock(&own->lock);
    if (!own->checker)
        own->checker =
            ser_checker_create(all->run->events, all->run->count, &all->shared->checked_model);
    ser_status status =
        ser_checker_check(own->checker, all->run->blocks.items[block].begin, asks_for_cycles(all),
                          order->items, order->count, facts, error);
    pthread_mutex_unlock(&own->lock);
    return status;
}

/* A smaller witness takes the place of the one found, if it is one. */
static ser_status try_smaller(decision *all, ser_block_result *result, bool spares_changes,
                              ser_error *error)
{
    ser_event_list small = {0};
    ser_witness_facts facts = {0};
    ser_vector_reserve(&small, result->order.count);
    memcpy(small.items, result->order.items, result->order.count * sizeof *small.items);
    small.count = result->order.count;
    ser_witness_minimise(all->run, &small, result->facts.path.items, result->facts.path.count,
                         spares_changes);
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

/* With few changed reads, if that can be. */
static ser_status minimise_witness(decision *all, ser_block_result *result, ser_error *error)
{
    if (all->run->reads && try_smaller(all, result, true, error) == SER_OK)
        return SER_OK;
    return try_smaller(all, result, false, error);
}

/* Is the witness one by the order of events alone? */
static bool holds_by_avp(decision *all, const ser_block_result *result)
{
    ser_guarded_checker *own = &all->shared->checkers[all->worker % SER_CHECKERS];
    ser_witness_facts facts = {0};
    ser_error ignored;
    pthread_mutex_lock(&own->lock);
    if (!own->by_avp)
        own->by_avp = ser_checker_create(all->run->events, all->run->count, NULL);
    ser_status status = ser_checker_check(own->by_avp, all->run->blocks.items[result->block].begin,
                                          asks_for_cycles(all), result->order.items,
                                          result->order.count, &facts, &ignored);
    pthread_mutex_unlock(&own->lock);
    ser_witness_facts_fini(&facts);
    return status == SER_OK;
}

/* No witness, no report. */
static void accept_witness(decision *all, ser_block_result *result)
{
    ser_error error = {0};
    ser_status status = check_order(all, result->block, &result->order, &result->facts, &error);
    if (status == SER_OK && !all->options->no_minimise)
        status = minimise_witness(all, result, &error);
    if (status == SER_OK) {
        ser_model model = all->options->model;
        result->verdict = SER_VERDICT_VIOLATION;
        result->model = model != SER_MODEL_AVP && holds_by_avp(all, result) ? SER_MODEL_AVP : model;
        return;
    }
    all->status =
        ser_fail(all->error, SER_INTERNAL, "the witness for the block at event %u is refused: %s",
                 all->run->blocks.items[result->block].begin, error.text);
}

/* By the engine asked for or the portfolio, unless the same task was decided before. */
static const ser_search_engine *decide_task(decision *all, const ser_task *task, ser_answer *answer)
{
    ser_search_options search = all->options->search;
    const ser_search_engine *engine = ser_reuse_find(all->shared->reuse, task, answer);
    if (engine)
        return engine;
    search.stop = all->limits.stop;
    search.deadline = all->limits.deadline;
    engine = all->options->engine;
    if (engine)
        engine->run(task, &search, answer);
    else
        engine = ser_portfolio_run(task, &search, answer);
    ser_reuse_keep(all->shared->reuse, task, engine, answer);
    return engine;
}

static void search_block(decision *all, ser_block_result *result, const ser_segment *segment)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_task *task =
        ser_task_build(all->run, all->survey->index, result->block, segment, &all->meter);
    if (!task)
        return;
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
static uint64_t extent_of(decision *all, uint32_t block)
{
    if (all->survey->extents)
        return all->survey->extents[block];
    ser_segment *frontiers = ser_tas_frontiers(all->survey->order, block, &all->meter);
    uint64_t size = ser_segment_size(frontiers);
    ser_segment_destroy(frontiers);
    return size;
}

static ser_static_proof check_between_frontiers(decision *all, ser_block_result *result)
{
    ser_segment *frontiers = ser_tas_frontiers(all->survey->order, result->block, &all->meter);
    result->segment = ser_segment_size(frontiers);
    ser_static_proof proof = ser_static_check(all->survey->order, all->survey->index, result->block,
                                              frontiers, &all->meter);
    ser_segment_destroy(frontiers);
    return proof;
}

/* The criterion of serializability contracts other blocks, too: what is proven for paths
 * does not hold there. */
static ser_static_proof check_cycles(decision *all, uint32_t block)
{
    return all->survey->two_phase && ser_two_phase_proves(all->survey->two_phase, all->run, block)
               ? SER_STATIC_TWO_PHASE
               : SER_STATIC_OPEN;
}

static ser_static_proof check_whole_run(decision *all, uint32_t block)
{
    if (asks_for_cycles(all))
        return check_cycles(all, block);
    if (!all->survey->guards)
        return SER_STATIC_OPEN;
    return ser_static_check_run(all->survey->order, all->survey->guards, block, &all->meter);
}

/* By the static check, if it is wanted and knows. A block without accesses is on no
 * path and no cycle. */
static ser_static_proof check_statically(decision *all, ser_block_result *result)
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
static ser_segment *find_segment(decision *all, ser_block_result *result)
{
    if (all->options->no_segment || asks_for_cycles(all))
        return ser_segment_whole(all->run);
    const ser_order *order = all->survey->order;
    ser_segment *segment = ser_tas_frontiers(order, result->block, &all->meter);
    ser_tas_grow(order, all->survey->index, result->block, segment, &all->meter);
    bool has_path = ser_relevance_trim(order, result->block, segment, &all->meter);
    if (!has_path && !all->options->no_static && !all->meter.reached) {
        settle_statically(result, SER_STATIC_NO_PATH);
        ser_segment_destroy(segment);
        return NULL;
    }
    ser_tas_grow(order, all->survey->index, result->block, segment, &all->meter);
    return segment;
}

/* What was found when a limit was reached counts for nothing. */
static void decide_by(decision *all, ser_block_result *result)
{
    ser_static_proof proof = check_statically(all, result);
    if (all->meter.reached)
        return;
    if (proof != SER_STATIC_OPEN) {
        settle_statically(result, proof);
        return;
    }
    ser_segment *segment = find_segment(all, result);
    if (!segment)
        return;
    if (!all->meter.reached) {
        result->segment = ser_segment_size(segment);
        search_block(all, result, segment);
    }
    ser_segment_destroy(segment);
}

ser_status ser_decide_block(ser_decider *shared, unsigned worker, const atomic_bool *stop,
                            ser_block_result *result, ser_error *error)
{
    decision one = {
        .shared = shared,
        .run = shared->run,
        .options = &shared->options,
        .survey = &shared->survey,
        .worker = worker,
        .limits = {.stop = stop, .memory = shared->options.search.memory},
        .error = error,
    };
    one.meter.limits = &one.limits;
    double start = ser_clock_now();
    result->model = shared->options.model;
    if (shared->options.timeout > 0)
        one.limits.deadline = start + shared->options.timeout;
    decide_by(&one, result);
    if (one.meter.reached && result->verdict == SER_VERDICT_UNKNOWN)
        result->reason = ser_reason_of_overrun(one.meter.reached);
    result->seconds = ser_clock_now() - start;
    return one.status;
}
