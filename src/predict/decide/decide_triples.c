/* SPDX-License-Identifier: MIT */
/*
 * The triples of a block (triples.h), one after the other, each by a search in the whole run:
 * first what is forced (saturation.h), then the solver. The first that is real is the witness of
 * the block; the others are checked, too, and named.
 */
#include "predict/decide/decision.h"
#include "predict/saturation/saturation.h"
#include "predict/task/build.h"
#include "predict/triples/nested_locks.h"

enum {
    LARGEST_RUN = 40000,        /* that is searched as a whole */
    MOST_KEPT_EVENTS = 1 << 20, /* of the witnesses of a block */
};

typedef struct deciding {
    ser_decision *all;
    ser_block_result *result; /* of the block */
    ser_task *task;
    uint32_t *step_of; /* by event: 1 + its step; 0: it has none */
    size_t kept;       /* events of witnesses besides the first */
} deciding;

static void build_task(deciding *at)
{
    const ser_run *run = at->all->run;
    at->task = ser_task_whole(run, at->result->block);
    at->step_of = ser_alloc((size_t)run->count + 1, sizeof *at->step_of);
    for (uint32_t i = 0; i < at->task->steps.count; i++)
        at->step_of[at->task->steps.items[i].event] = i + 1;
}

/* No more than counting and sorting out. */
static void keep_ordered(const ser_decision *all, ser_triple_list *list, ser_triple_counts *counts)
{
    const ser_fork_order *order = &all->shared->fork_order;
    size_t kept = 0;
    counts->potential = list->count;
    for (size_t i = 0; i < list->count; i++) {
        ser_triple triple = list->items[i];
        if (ser_fork_order_precedes(order, triple.remote, triple.from) ||
            ser_fork_order_precedes(order, triple.to, triple.remote))
            continue;
        counts->unlocked += ser_nested_locks_allow(all->run, all->stage->survey.index, &triple);
        list->items[kept++] = triple;
    }
    counts->ordered = list->count = kept;
}

/* By one engine after the other, until one decides. */
static void search(const deciding *at, const ser_search_triple *steps, ser_answer *answer)
{
    static const ser_search_engine *const engines[] = {&ser_search_saturation, &ser_search_smt};
    ser_search_options options = at->all->options->search;
    options.criterion = SER_CRITERION_TRIPLE;
    options.triple = *steps;
    options.stop = at->all->limits.stop;
    options.deadline = at->all->limits.deadline;
    for (size_t i = 0; i < 2 && answer->outcome == SER_UNKNOWN; i++) {
        engines[i]->run(at->task, &options, answer);
        at->result->engine = engines[i]->name;
        at->result->explored += answer->explored;
        at->result->constraints += answer->constraints;
    }
}

static void take_order(const deciding *at, const ser_answer *answer, ser_event_list *order)
{
    order->count = 0;
    for (size_t i = 0; i < answer->order.count; i++)
        ser_vector_push(order, at->task->steps.items[answer->order.items[i]].event);
}

/* The checker's word counts; the first one stays with the block. False: it was refused, because of
 * values. */
static bool accept(deciding *at, const ser_triple *triple, const ser_answer *answer)
{
    ser_block_result one = {.block = at->result->block};
    at->all->triple = triple;
    take_order(at, answer, &one.order);
    ser_decision_accept(at->all, &one);
    at->all->triple = NULL;
    bool is_first = at->result->triples.real == 0;
    if (one.reason == SER_REASON_VALUES)
        return false;
    if (one.verdict == SER_VERDICT_VIOLATION) {
        at->result->triples.real++;
        ser_vector_push(&at->result->real_triples, *triple);
    }
    if (one.verdict == SER_VERDICT_VIOLATION && is_first) {
        at->result->order = one.order;
        at->result->facts = one.facts;
        at->result->model = one.model;
        return true;
    }
    if (one.verdict == SER_VERDICT_VIOLATION && at->kept < MOST_KEPT_EVENTS) {
        uint32_t number = (uint32_t)at->result->real_triples.count - 1;
        at->kept += one.order.count;
        ser_vector_push(&at->result->triple_witnesses,
                        ((ser_triple_witness){number, one.order, one.facts}));
        return true;
    }
    ser_vector_free(&one.order);
    ser_witness_facts_fini(&one.facts);
    return true;
}

/* What the bounds let happen was refused: with values it is decided. */
static void decide_by_values(deciding *at, const ser_triple *triple, const ser_search_triple *steps,
                             ser_answer *answer)
{
    ser_segment *whole = ser_segment_whole(at->all->run);
    answer->order.count = 0;
    ser_decision_ask_values(at->all, at->task, whole, steps, answer);
    at->result->engine = ser_search_states.name;
    at->result->explored += answer->explored;
    if (answer->outcome == SER_VIOLATED && !accept(at, triple, answer)) {
        answer->outcome = SER_UNKNOWN;
        answer->reason = SER_REASON_VALUES;
    }
    ser_segment_destroy(whole);
}

static void decide(deciding *at, const ser_triple *triple)
{
    const ser_search_triple steps = {at->step_of[triple->from], at->step_of[triple->remote],
                                     at->step_of[triple->to]};
    ser_answer answer = {.outcome = SER_UNKNOWN};
    if (!steps.from || !steps.remote || !steps.to)
        return; /* one of them can never happen */
    const ser_search_triple of = {steps.from - 1, steps.remote - 1, steps.to - 1};
    search(at, &of, &answer);
    if (answer.outcome == SER_VIOLATED && !accept(at, triple, &answer))
        decide_by_values(at, triple, &of, &answer);
    if (answer.outcome == SER_UNKNOWN) {
        at->result->triples.undecided++;
        at->result->reason = answer.reason;
    }
    ser_answer_fini(&answer);
}

static void settle(ser_block_result *result)
{
    if (result->triples.real) {
        result->verdict = SER_VERDICT_VIOLATION;
        result->reason = SER_REASON_NONE;
    } else if (!result->triples.undecided) {
        result->verdict = SER_VERDICT_NONE;
    }
}

void ser_decision_triples(ser_decision *all, ser_block_result *result)
{
    deciding at = {.all = all, .result = result};
    ser_triple_list list = {0};
    result->engine = "static";
    bool is_complete = ser_triples_list(&list, all->run, all->stage->survey.index, result->block);
    keep_ordered(all, &list, &result->triples);
    if (!is_complete || (list.count && all->run->count > LARGEST_RUN)) {
        result->triples.undecided = list.count + !is_complete;
        result->reason = SER_REASON_MEMORY;
    } else if (list.count) {
        build_task(&at);
        result->segment = at.task->steps.count;
        for (size_t i = 0; i < list.count && all->status == SER_OK; i++)
            decide(&at, &list.items[i]);
        ser_task_destroy(at.task);
    }
    settle(result);
    free(at.step_of);
    ser_vector_free(&list);
}
