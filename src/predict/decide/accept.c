/* SPDX-License-Identifier: MIT */
/*
 * From an order that an engine has found to a violation: the checker, the minimiser, and the
 * weakest model in which it is one. No witness, no report.
 */
#include "predict/decide/decision.h"
#include "witness/minimise.h"
#include "witness/reliance.h"

static ser_status check_order(ser_decision *all, uint32_t block, const ser_event_list *order,
                              ser_witness_facts *facts, ser_error *error)
{
    const ser_stage_question question = ser_decision_question(all, block);
    return ser_stage_check(all->stage, all->worker, &question, order, facts, error);
}

/* A smaller witness replaces the one found, if the checker accepts it. */
static ser_status try_smaller(ser_decision *all, ser_block_result *result, bool spares_changes,
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
static ser_status minimise_witness(ser_decision *all, ser_block_result *result, ser_error *error)
{
    if (all->run->reads && try_smaller(all, result, true, error) == SER_OK)
        return SER_OK;
    return try_smaller(all, result, false, error);
}

static bool is_same_path(const ser_witness_facts *a, const ser_witness_facts *b)
{
    return a->path.count == b->path.count &&
           memcmp(a->path.items, b->path.items, a->path.count * sizeof *a->path.items) == 0;
}

/* What is shown is what the model shows that is named: by a weaker one fewer updates write and more
 * reads are broken, so that its path may be another one. Values belong to a path. */
static void take_facts(ser_decision *all, ser_block_result *result, ser_witness_facts *facts)
{
    if (is_same_path(&result->facts, facts)) {
        ser_witness_values values = facts->values, path_values = facts->path_values;
        facts->values = result->facts.values;
        facts->path_values = result->facts.path_values;
        result->facts.values = values;
        result->facts.path_values = path_values;
    }
    ser_witness_facts_fini(&result->facts);
    result->facts = *facts;
    result->relies_on =
        ser_witness_relies_on(all->run, result->order.items, result->order.count, &result->facts);
}

/* Without relying on more than the order does in its own model. Then the facts are the weaker
 * one's. */
static bool holds_by(ser_decision *all, ser_stage *weaker, ser_block_result *result)
{
    ser_witness_facts facts = {0};
    ser_error ignored;
    const ser_stage_question question = ser_decision_question(all, result->block);
    ser_status status =
        ser_stage_check(weaker, all->worker, &question, &result->order, &facts, &ignored);
    bool holds = status == SER_OK &&
                 (result->relies_on || !ser_witness_relies_on(all->run, result->order.items,
                                                              result->order.count, &facts));
    if (holds)
        take_facts(all, result, &facts);
    else
        ser_witness_facts_fini(&facts);
    return holds;
}

/* The model with the fewest interleavings in which the witness is one; avp: by the order of events
 * alone. */
static ser_model weakest_model(ser_decision *all, ser_block_result *result)
{
    ser_decider *shared = all->shared;
    ser_model model = all->stage->model;
    ser_stage *avp =
        shared->stages[0].model == SER_MODEL_AVP ? &shared->stages[0] : &shared->by_avp;
    if (model == SER_MODEL_AVP || holds_by(all, avp, result))
        return SER_MODEL_AVP;
    bool needs_no_guards = model == SER_MODEL_GUARDS && holds_by(all, &shared->by_data, result);
    return needs_no_guards ? SER_MODEL_DATA : model;
}

void ser_decision_accept(ser_decision *all, ser_block_result *result)
{
    ser_error error = {0};
    ser_status status = check_order(all, result->block, &result->order, &result->facts, &error);
    if (status == SER_OK && !all->options->no_minimise)
        status = minimise_witness(all, result, &error);
    if (status == SER_OK) {
        result->verdict = SER_VERDICT_VIOLATION;
        result->relies_on = ser_witness_relies_on(all->run, result->order.items,
                                                  result->order.count, &result->facts);
        result->model = weakest_model(all, result);
        return;
    }
    if (all->stage->has_bounds) {
        ser_vector_free(&result->order);
        ser_witness_facts_fini(&result->facts);
        result->order = (ser_event_list){0};
        result->facts = (ser_witness_facts){0};
        result->verdict = SER_VERDICT_UNKNOWN;
        result->reason = SER_REASON_VALUES;
        return;
    }
    all->status =
        ser_fail(all->error, SER_INTERNAL, "the witness for the block at event %u is refused: %s",
                 all->run->blocks.items[result->block].begin, error.text);
}
