/* SPDX-License-Identifier: MIT */
/*
 * ser_decision_decide takes a block through a stage: static check, segment, task, engine, witness
 * (accept.c). Later stages are bounded (further.c).
 */
#include "predict/decide/decide.h"

#include "base/clock.h"
#include "predict/decide/decision.h"
#include "predict/portfolio.h"
#include "predict/segment/relevance.h"
#include "predict/segment/tas.h"
#include "predict/task/build.h"

static bool is_computing(const ser_decider *decider, ser_model model)
{
    return model == SER_MODEL_GUARDS && ser_model_computes(decider->run);
}

static void add_stage(ser_decider *decider, ser_model model)
{
    ser_stage *stage = &decider->stages[decider->stage_count++];
    if (is_computing(decider, model))
        ser_stage_init_bounds(stage, decider->run);
    else
        ser_stage_init(stage, model, decider->run);
}

/* A stage that would have the same interleavings as the one before is not added. */
static void add_later_stage(ser_decider *decider, ser_model model)
{
    add_stage(decider, model);
    ser_stage *last = &decider->stages[decider->stage_count - 1];
    if (ser_stage_is_stronger(last))
        return;
    ser_stage_fini(last);
    *last = (ser_stage){0};
    decider->stage_count--;
}

/* Without guards in the trace, `guards` is the same as `data`, and is called that. */
static ser_model later_model(ser_model model, const ser_run *run)
{
    return model == SER_MODEL_GUARDS && !ser_model_has_guards(run) ? SER_MODEL_DATA : model;
}

static void add_stages(ser_decider *decider, const ser_predict_options *options)
{
    add_stage(decider, options->staged ? SER_MODEL_AVP : options->model);
    if (!options->staged || options->model == SER_MODEL_AVP)
        return;
    ser_model model = ser_model_shown(options->model, decider->run);
    if (model == SER_MODEL_AVP)
        return;
    add_later_stage(decider, model);
    if (is_computing(decider, model))
        ser_stage_init_lists(&decider->stages[decider->stage_count++], decider->run);
}

ser_decider *ser_decider_create(const ser_run *run, const ser_predict_options *options)
{
    ser_decider *decider = ser_alloc(1, sizeof *decider);
    decider->run = run;
    decider->options = *options;
    return decider;
}

/* By the criterion of triples there is one stage: a triple that a model does not have says nothing
 * about the next one. */
void ser_decider_prepare(ser_decider *decider)
{
    const ser_run *run = decider->run;
    const ser_predict_options *options = &decider->options;
    if (options->search.criterion == SER_CRITERION_TRIPLE) {
        if (options->model == SER_MODEL_GUARDS && ser_model_has_values(run))
            ser_stage_init_bounds(&decider->stages[decider->stage_count++], run);
        else
            add_stage(decider, later_model(options->model, run));
        ser_fork_order_init(&decider->fork_order, run);
    } else {
        add_stages(decider, options);
    }
    if (decider->stages[0].has_bounds)
        ser_stage_init_lists(&decider->by_lists, run);
    ser_stage_init(&decider->by_avp, SER_MODEL_AVP, run);
    decider->by_avp.checked_model = (ser_checker_model){0};
    ser_stage_init(&decider->by_data, SER_MODEL_AVP, run);
    decider->by_data.checked_model = (ser_checker_model){.equal_values = true};
    decider->reuse = ser_reuse_create();
}

void ser_decider_destroy(ser_decider *decider)
{
    if (!decider)
        return;
    ser_reuse_destroy(decider->reuse);
    ser_fork_order_fini(&decider->fork_order);
    for (size_t i = 0; i < decider->stage_count; i++)
        ser_stage_fini(&decider->stages[i]);
    if (decider->by_lists.run)
        ser_stage_fini(&decider->by_lists);
    ser_stage_fini(&decider->by_avp);
    ser_stage_fini(&decider->by_data);
    free(decider);
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

/* By the engine asked for or the portfolio, unless the same task was decided before, by the
 * criterion of the whole. */
static const ser_search_engine *decide_task(ser_decision *all, const ser_task *task,
                                            ser_answer *answer)
{
    ser_search_options search = all->options->search;
    bool is_usual = search.criterion == all->shared->options.search.criterion;
    const ser_search_engine *engine =
        is_usual ? ser_reuse_find(all->shared->reuse, task, answer) : NULL;
    if (engine)
        return engine;
    search.stop = all->limits.stop;
    search.deadline = all->limits.deadline;
    engine = all->options->engine;
    if (engine)
        engine->run(task, &search, answer);
    else
        engine = ser_portfolio_run(task, &search, answer);
    if (is_usual)
        ser_reuse_keep(all->shared->reuse, task, engine, answer);
    return engine;
}

static bool is_open_by_values(const ser_decision *one, const ser_block_result *result)
{
    return one->stage->has_bounds && result->verdict == SER_VERDICT_UNKNOWN &&
           result->reason == SER_REASON_VALUES && one->status == SER_OK;
}

void ser_decision_take_order(ser_decision *all, ser_block_result *result,
                             const ser_segment *segment, const ser_task *task,
                             const ser_answer *answer)
{
    assemble_witness(all->run, segment, task, answer, &result->order);
    ser_decision_accept(all, result);
}

void ser_decision_search(ser_decision *all, ser_block_result *result, const ser_segment *segment)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_task *task =
        ser_task_build(all->run, all->stage->survey.index, result->block, segment, &all->meter);
    if (!task)
        return;
    task->part = all->options->part;
    const ser_search_engine *engine = decide_task(all, task, &answer);
    result->explored = answer.explored;
    result->constraints = answer.constraints;
    result->reason = answer.outcome == SER_UNKNOWN ? answer.reason : SER_REASON_NONE;
    result->engine = engine->name;
    if (answer.outcome == SER_NO_VIOLATION)
        result->verdict = SER_VERDICT_NONE;
    if (answer.outcome == SER_VIOLATED)
        ser_decision_take_order(all, result, segment, task, &answer);
    if (is_open_by_values(all, result))
        ser_decision_search_values(all, result, task, segment);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
}

/* How many events lie between the block's frontiers. */
static uint64_t extent_of(ser_decision *all, uint32_t block)
{
    if (all->stage->survey.extents)
        return all->stage->survey.extents[block];
    ser_segment *frontiers = ser_tas_frontiers(all->stage->survey.order, block, &all->meter);
    uint64_t size = ser_segment_size(frontiers);
    ser_segment_destroy(frontiers);
    return size;
}

static ser_static_proof check_between_frontiers(ser_decision *all, ser_block_result *result)
{
    ser_segment *frontiers =
        ser_tas_frontiers(all->stage->survey.order, result->block, &all->meter);
    result->segment = ser_segment_size(frontiers);
    ser_static_proof proof = ser_static_check(all->stage->survey.order, all->stage->survey.index,
                                              result->block, frontiers, &all->meter);
    ser_segment_destroy(frontiers);
    return proof;
}

/* The criterion of serializability contracts other blocks, too: what is proven for paths
 * does not hold there. */
static ser_static_proof check_cycles(ser_decision *all, uint32_t block)
{
    return all->stage->survey.two_phase && ser_two_phase_proves(all->stage->survey.two_phase, block)
               ? SER_STATIC_TWO_PHASE
               : SER_STATIC_OPEN;
}

static ser_static_proof check_whole_run(ser_decision *all, uint32_t block)
{
    if (ser_decision_asks_for_cycles(all))
        return check_cycles(all, block);
    if (!all->stage->survey.guards)
        return SER_STATIC_OPEN;
    return ser_static_check_run(all->run, all->stage->survey.order, all->stage->survey.guards,
                                block, &all->meter);
}

/* By the static check, if it is enabled and settles the block. A block without accesses is on no
 * path and no cycle. */
static ser_static_proof check_statically(ser_decision *all, ser_block_result *result)
{
    if (!ser_block_first_access(all->run, result->block))
        return SER_STATIC_FEW_ACCESSES;
    if (all->options->no_static)
        return SER_STATIC_OPEN;
    ser_static_proof proof = check_whole_run(all, result->block);
    if (proof != SER_STATIC_OPEN)
        result->segment = extent_of(all, result->block);
    else if (!ser_decision_asks_for_cycles(all))
        proof = check_between_frontiers(all, result);
    return proof;
}

static void settle_statically(ser_block_result *result, ser_static_proof proof)
{
    result->proof = proof;
    result->verdict = SER_VERDICT_STATIC;
    result->engine = "static";
}

/* The part of the run to search in; NULL if the block was settled on the way. What cannot matter
 * is cut off at the end of the segment, which may let it begin later. */
static ser_segment *find_segment(ser_decision *all, ser_block_result *result)
{
    if (all->options->no_segment || ser_decision_asks_for_cycles(all))
        return ser_segment_whole(all->run);
    const ser_order *order = all->stage->survey.order;
    ser_segment *segment = ser_tas_frontiers(order, result->block, &all->meter);
    ser_tas_grow(order, all->stage->survey.index, result->block, segment, &all->meter);
    bool has_path = ser_relevance_trim(order, result->block, segment, &all->meter);
    if (!has_path && !all->options->no_static && !all->meter.reached) {
        settle_statically(result, SER_STATIC_NO_PATH);
        ser_segment_destroy(segment);
        return NULL;
    }
    ser_tas_grow(order, all->stage->survey.index, result->block, segment, &all->meter);
    return segment;
}

/* A path out of the block and back is a cycle, too. Its segment is a small part of the run. */
static bool has_path(ser_decision *all, ser_block_result *result)
{
    ser_predict_options by_path = *all->options;
    ser_decision again = *all;
    ser_block_result found = {.block = result->block, .events = result->events};
    by_path.search.criterion = SER_CRITERION_PATH;
    again.options = &by_path;
    ser_decision_decide(&again, &found);
    all->status = again.status;
    if (found.verdict != SER_VERDICT_VIOLATION)
        return false;
    *result = found;
    return true;
}

/* False: cycles that are no paths are to be looked for. Only the first stage has rounds. */
static bool looks_for_paths_only(ser_decision *all, ser_block_result *result)
{
    bool is_first = all->stage == &all->shared->stages[0];
    ser_decision_round round = is_first ? all->shared->round : SER_ROUND_ALL;
    bool found = round != SER_ROUND_CYCLES && has_path(all, result);
    return found || round == SER_ROUND_PATHS || all->status != SER_OK;
}

/* A result is discarded if a limit was reached. */
void ser_decision_decide(ser_decision *all, ser_block_result *result)
{
    ser_static_proof proof = check_statically(all, result);
    if (all->meter.reached)
        return;
    if (proof != SER_STATIC_OPEN) {
        settle_statically(result, proof);
        return;
    }
    if (ser_decision_asks_for_cycles(all) && looks_for_paths_only(all, result))
        return;
    if (ser_decision_look_nearby(all, result))
        return;
    ser_segment *segment = find_segment(all, result);
    if (!segment)
        return;
    uint64_t size = ser_segment_size(segment);
    if (!all->meter.reached && (!all->most || size <= all->most)) {
        result->segment = size;
        ser_decision_search(all, result, segment);
    }
    ser_segment_destroy(segment);
}

static void begin(ser_decision *one, ser_decider *shared, unsigned worker, const atomic_bool *stop,
                  ser_error *error)
{
    *one = (ser_decision){
        .shared = shared,
        .stage = &shared->stages[0],
        .run = shared->stages[0].run,
        .options = &shared->options,
        .worker = worker,
        .limits = {.stop = stop, .memory = shared->options.search.memory},
        .error = error,
    };
    one->meter.limits = &one->limits;
    if (shared->options.timeout > 0)
        one->limits.deadline = ser_clock_work() + shared->options.timeout;
}

/* What was found by the bounds was refused: is there something that lists of writes show? */
static void decide_by_lists(const ser_decision *all, ser_block_result *result)
{
    ser_decision again = *all;
    ser_block_result found = {.block = result->block, .events = result->events};
    const ser_survey_options survey = {.guards = !all->options->no_static, .limits = &all->limits};
    again.stage = &all->shared->by_lists;
    again.run = again.stage->run;
    again.meter = (ser_meter){.limits = &again.limits};
    if (!ser_stage_survey(again.stage, &survey))
        return;
    ser_decision_decide(&again, &found);
    if (found.verdict == SER_VERDICT_VIOLATION)
        *result = found;
}

ser_status ser_decide_block(ser_decider *shared, unsigned worker, const atomic_bool *stop,
                            ser_block_result *result, ser_error *error)
{
    ser_decision one;
    double start = ser_clock_work();
    begin(&one, shared, worker, stop, error);
    one.was_left = result->is_left;
    result->is_left = false;
    result->model = shared->stages[0].proves;
    if (shared->options.search.criterion == SER_CRITERION_TRIPLE)
        ser_decision_triples(&one, result);
    else
        ser_decision_decide(&one, result);
    if (one.meter.reached && result->verdict == SER_VERDICT_UNKNOWN)
        result->reason = ser_reason_of_overrun(one.meter.reached);
    if (is_open_by_values(&one, result) && shared->options.search.criterion != SER_CRITERION_TRIPLE)
        decide_by_lists(&one, result);
    double first = ser_clock_work() - start;
    result->is_left |= shared->round == SER_ROUND_PATHS && result->verdict == SER_VERDICT_UNKNOWN;
    for (size_t i = 1; i < shared->stage_count && one.status == SER_OK && !result->is_left &&
                       result->model != SER_MODEL_GUARDS;
         i++)
        ser_decision_go_further(&one, &shared->stages[i], result, first);
    result->seconds += ser_clock_work() - start;
    return one.status;
}
