/* SPDX-License-Identifier: MIT */
/*
 * saturation.c - try_candidates decides one candidate after the other.
 *
 * If v1 and vn are of one thread, a run that keeps to the closure is a violation. If they
 * are of two, it may lack what leads from one to the other. Then try_links goes back from
 * vn, thread by thread, and asks for each conflict by which the path could have come.
 */
#include "predict/saturation/saturation.h"

#include "predict/saturation/candidates.h"
#include "predict/saturation/directed_run.h"
#include "predict/saturation/rules.h"

enum { MOST_CANDIDATES = 20000 };

typedef struct saturation {
    const ser_task *task;
    const ser_search_options *options;
    ser_answer *answer;
    ser_must must;
    ser_lanes lanes;
    ser_sections sections;
    ser_rules rules;
    ser_closure closure;
    ser_directed_run run;
    ser_candidates candidates;
    const ser_candidate *candidate; /* at hand */
    ser_link_list chain;            /* the end of its path, from its last link on */
    bool *used;                     /* by thread: the block's, and those of the chain */
} saturation;

static void init(saturation *at)
{
    ser_must_init(&at->must, at->task);
    ser_lanes_init(&at->lanes, &at->must);
    ser_sections_init(&at->sections, &at->must);
    ser_rules_init(&at->rules, &at->lanes, &at->sections, at->task);
    ser_closure_init(&at->closure, &at->must);
    ser_directed_run_init(&at->run, at->task);
    ser_candidates_init(&at->candidates, &at->lanes, &at->must, &at->sections, MOST_CANDIDATES);
    at->used = ser_alloc(at->task->threads.count, sizeof *at->used);
    at->used[at->task->block_thread] = true;
}

static void fini(saturation *at)
{
    ser_candidates_fini(&at->candidates);
    ser_directed_run_fini(&at->run);
    ser_closure_fini(&at->closure);
    ser_rules_fini(&at->rules);
    ser_sections_fini(&at->sections);
    ser_lanes_fini(&at->lanes);
    ser_must_fini(&at->must);
    ser_vector_free(&at->chain);
    free(at->used);
}

static uint32_t thread_of(const saturation *at, uint32_t step)
{
    return at->task->steps.items[step].thread;
}

static void demand_before(ser_closure *closure, uint32_t a, uint32_t b)
{
    if (!closure->impossible)
        ser_closure_demand(closure, a);
    if (!closure->impossible)
        ser_closure_demand(closure, b);
    if (!closure->impossible && a != b)
        ser_closure_add(closure, a, b);
}

static void demand_candidate(saturation *at)
{
    const ser_candidate *candidate = at->candidate;
    size_t links = at->chain.count;
    ser_closure_reset(&at->closure, candidate->to);
    demand_before(&at->closure, candidate->from, candidate->first);
    demand_before(&at->closure, candidate->first,
                  links ? at->chain.items[links - 1].from : candidate->last);
    if (!at->closure.impossible)
        ser_closure_demand(&at->closure, candidate->last);
    for (size_t i = 0; i < links; i++)
        demand_before(&at->closure, at->chain.items[i].from, at->chain.items[i].to);
}

static void keep_order(saturation *at)
{
    const ser_machine *machine = at->run.machine;
    at->answer->outcome = SER_VIOLATED;
    at->answer->order.count = 0;
    for (uint32_t i = 0; i < machine->depth; i++)
        ser_vector_push(&at->answer->order, machine->log[i].step);
}

/* Can a run do what the candidate and the chain so far ask for? Unknown: perhaps. */
static ser_outcome try_closure(saturation *at)
{
    at->answer->explored++;
    demand_candidate(at);
    if (!at->closure.impossible)
        ser_rules_apply(&at->rules, &at->closure);
    if (at->closure.impossible)
        return SER_NO_VIOLATION;
    if (!ser_directed_run_take(&at->run, &at->closure))
        return SER_UNKNOWN;
    keep_order(at);
    return SER_VIOLATED;
}

static ser_outcome try_links(saturation *at, uint32_t target);

static ser_outcome try_link(saturation *at, ser_link link)
{
    if (ser_search_must_stop(at->options, &at->answer->reason))
        return SER_UNKNOWN;
    ser_vector_push(&at->chain, link);
    ser_outcome outcome = try_closure(at);
    if (outcome == SER_UNKNOWN && thread_of(at, link.from) != thread_of(at, at->candidate->first))
        outcome = try_links(at, link.from);
    at->chain.count--;
    return outcome;
}

/* All ways in which the path may have come to the target. Depth: number of threads. */
static ser_outcome try_links(saturation *at, uint32_t target)
{
    ser_link_list links = {0};
    ser_outcome outcome = SER_NO_VIOLATION;
    at->used[thread_of(at, target)] = true;
    ser_candidates_links(&at->candidates, at->candidate->first, target, at->used, &links);
    for (size_t i = 0; i < links.count && outcome == SER_NO_VIOLATION; i++)
        outcome = try_link(at, links.items[i]);
    at->used[thread_of(at, target)] = false;
    ser_vector_free(&links);
    return outcome;
}

static ser_outcome try_candidate(saturation *at)
{
    ser_outcome outcome = try_closure(at);
    uint32_t last = at->candidate->last;
    if (outcome != SER_UNKNOWN || thread_of(at, at->candidate->first) == thread_of(at, last))
        return outcome;
    return try_links(at, last);
}

/* None, unless one of them is a violation or stays open. */
static void try_candidates(saturation *at)
{
    for (size_t i = 0; i < at->candidates.list.count; i++) {
        if (ser_search_must_stop(at->options, &at->answer->reason)) {
            at->answer->outcome = SER_UNKNOWN;
            return;
        }
        at->candidate = &at->candidates.list.items[i];
        ser_outcome outcome = try_candidate(at);
        if (outcome == SER_VIOLATED)
            return;
        if (outcome == SER_UNKNOWN)
            at->answer->outcome = SER_UNKNOWN;
    }
}

/* Two clocks a step, and some 100 bytes in arrays by step. */
static size_t bytes(const ser_task *task)
{
    return task->steps.count * (2 * sizeof(uint32_t) * task->threads.count + 100);
}

static void run(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    saturation at = {.task = task, .options = options, .answer = answer};
    *answer = (ser_answer){.outcome = SER_NO_VIOLATION, .order = answer->order};
    if (task->first_block_step == SER_TASK_NONE)
        return;
    if (options->memory && bytes(task) > options->memory) {
        answer->outcome = SER_UNKNOWN;
        answer->reason = SER_REASON_MEMORY;
        return;
    }
    init(&at);
    if (!at.candidates.is_complete || options->criterion != SER_CRITERION_PATH)
        answer->outcome = SER_UNKNOWN;
    try_candidates(&at);
    fini(&at);
}

const ser_search_engine ser_search_saturation = {"static", run};
