/* SPDX-License-Identifier: MIT */
/*
 * saturation.c - decides one candidate after the other.
 *
 * If v1 and vn are of one thread, a run that keeps to the closure is a violation. If they
 * are of two, it may lack what leads from one to the other. Then try_links asks for each
 * conflict by which the path could go on, or could have come, whichever are fewer, and
 * goes on until the gap between is closed.
 *
 * Candidates with equal t share what t alone demands (start_over), and those with equal v1
 * besides, whether the path can leave the thread of v1 at all (is_dead_end).
 */
#include "predict/saturation/saturation.h"

#include "base/clock.h"
#include "predict/saturation/candidates.h"
#include "predict/saturation/directed_run.h"
#include "predict/saturation/links.h"
#include "predict/saturation/rules.h"

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
    ser_path_candidates candidates;
    const ser_path_candidate *candidate; /* at hand */
    ser_link_list chain;                 /* links of its path, in no order */
    ser_path_gap gap;                    /* what is left of the path; without a target: any way */
    uint32_t saved_end;                  /* t of which the closure has kept what it demands */
    ser_path_candidate looked_at;        /* the last one asked about by is_dead_end */
    bool was_dead_end;
} saturation;

static void init(saturation *at)
{
    ser_must_init(&at->must, at->task);
    ser_lanes_init(&at->lanes, &at->must);
    ser_sections_init(&at->sections, &at->must);
    ser_rules_init(&at->rules, &at->lanes, &at->sections, at->task);
    ser_closure_init(&at->closure, &at->must);
    ser_directed_run_init(&at->run, at->task);
    ser_path_candidates_init(&at->candidates, &at->lanes, &at->must, &at->sections, at->options);
    at->gap.used = ser_alloc(at->task->threads.count, sizeof *at->gap.used);
    at->gap.used[at->task->block_thread] = true;
    at->saved_end = at->looked_at.first = SER_TASK_NONE;
}

static void fini(saturation *at)
{
    ser_path_candidates_fini(&at->candidates);
    ser_directed_run_fini(&at->run);
    ser_closure_fini(&at->closure);
    ser_rules_fini(&at->rules);
    ser_sections_fini(&at->sections);
    ser_lanes_fini(&at->lanes);
    ser_must_fini(&at->must);
    ser_vector_free(&at->chain);
    free(at->gap.used);
}

static uint32_t thread_of(const saturation *at, uint32_t step)
{
    return at->task->steps.items[step].thread;
}

/* Back to what is demanded by the end of the run alone. */
static void start_over(saturation *at)
{
    if (at->candidate->to == at->saved_end) {
        ser_closure_restore(&at->closure);
        return;
    }
    at->saved_end = at->candidate->to;
    ser_closure_reset(&at->closure, at->candidate->to);
    ser_rules_apply(&at->rules, &at->closure);
    ser_closure_save(&at->closure);
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

static void demand_path(saturation *at)
{
    const ser_path_candidate *candidate = at->candidate;
    demand_before(&at->closure, candidate->from, candidate->first);
    for (size_t i = 0; i < at->chain.count; i++)
        demand_before(&at->closure, at->chain.items[i].from, at->chain.items[i].to);
    if (at->gap.target == SER_TASK_NONE)
        return;
    demand_before(&at->closure, at->gap.front, at->gap.target);
    demand_before(&at->closure, candidate->first, candidate->last);
    /* Only as a write it conflicts with a read. */
    const ser_task_step *last = &at->task->steps.items[candidate->last];
    if (last->access == SER_ACCESS_RMW && !last->writes_anyway &&
        at->task->steps.items[candidate->to].access == SER_ACCESS_READ && !at->closure.impossible)
        ser_closure_demand_unbroken(&at->closure, candidate->last);
}

static bool is_impossible(saturation *at)
{
    at->answer->explored++;
    start_over(at);
    demand_path(at);
    if (!at->closure.impossible)
        ser_rules_apply(&at->rules, &at->closure);
    return at->closure.impossible;
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
    if (is_impossible(at))
        return SER_NO_VIOLATION;
    if (!ser_directed_run_take(&at->run, &at->closure))
        return SER_UNKNOWN;
    keep_order(at);
    return SER_VIOLATED;
}

/* Is a known to come before b, in what the closure asks for so far? */
static bool is_known(const saturation *at, uint32_t a, uint32_t b)
{
    return ser_closure_demands(&at->closure, a) && ser_closure_demands(&at->closure, b) &&
           ser_closure_knows(&at->closure, a, b);
}

/* What is left of the path comes after the front and before the target. */
static bool contradicts(const saturation *at, ser_link link)
{
    return is_known(at, link.to, link.from) || is_known(at, link.to, at->gap.front) ||
           (at->gap.target != SER_TASK_NONE && is_known(at, at->gap.target, link.from));
}

static void leave_out_contradictions(const saturation *at, ser_link_list *links)
{
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++)
        if (!contradicts(at, links->items[i]))
            links->items[kept++] = links->items[i];
    links->count = kept;
}

static ser_outcome try_links(saturation *at);

/* Narrows the gap by a link; one that closes it needs no others. */
static ser_outcome try_link(saturation *at, ser_link link)
{
    ser_path_gap before = at->gap;
    bool at_front = thread_of(at, link.from) == thread_of(at, before.front);
    bool at_target = thread_of(at, link.to) == thread_of(at, before.target);
    if (ser_search_must_stop(at->options, &at->answer->reason))
        return SER_UNKNOWN;
    ser_vector_push(&at->chain, link);
    if (at_front)
        at->gap.front = link.to;
    else
        at->gap.target = link.from;
    at->gap.can_go_on |= at_front;
    ser_outcome outcome = try_closure(at);
    if (outcome == SER_UNKNOWN && !(at_front && at_target)) {
        uint32_t fresh = thread_of(at, at_front ? link.to : link.from);
        at->gap.used[fresh] = true;
        outcome = try_links(at);
        at->gap.used[fresh] = false;
    }
    at->gap = before;
    at->chain.count--;
    return outcome;
}

/* All ways to close the gap, after try_closure. Depth: number of threads. */
static ser_outcome try_links(saturation *at)
{
    ser_link_list ahead = {0}, behind = {0};
    ser_outcome outcome = SER_NO_VIOLATION;
    ser_links_forwards(&at->candidates, &at->gap, &ahead);
    ser_links_backwards(&at->candidates, &at->gap, &behind);
    leave_out_contradictions(at, &ahead);
    leave_out_contradictions(at, &behind);
    const ser_link_list *links = ahead.count < behind.count ? &ahead : &behind;
    for (size_t i = 0; i < links->count && outcome == SER_NO_VIOLATION; i++)
        outcome = try_link(at, links->items[i]);
    ser_vector_free(&ahead);
    ser_vector_free(&behind);
    return outcome;
}

/* The path has reached v1: can it leave that thread for any other? */
static bool has_way_out(saturation *at)
{
    ser_link_list links = {0};
    at->gap.target = SER_TASK_NONE;
    bool found = !is_impossible(at);
    if (found) {
        ser_links_forwards(&at->candidates, &at->gap, &links);
        leave_out_contradictions(at, &links);
        found = links.count > 0;
    }
    ser_vector_free(&links);
    return found;
}

static bool is_dead_end(saturation *at)
{
    const ser_path_candidate *candidate = at->candidate;
    if (at->looked_at.first != candidate->first || at->looked_at.to != candidate->to) {
        at->looked_at = *candidate;
        at->was_dead_end = !has_way_out(at);
    }
    return at->was_dead_end;
}

/* One whose path goes through several threads. */
static ser_outcome try_far(saturation *at, uint32_t last)
{
    if (is_dead_end(at))
        return SER_NO_VIOLATION;
    at->gap.target = last;
    at->gap.used[thread_of(at, last)] = true;
    ser_outcome outcome = try_closure(at);
    if (outcome == SER_UNKNOWN)
        outcome = try_links(at);
    at->gap.used[thread_of(at, last)] = false;
    return outcome;
}

static ser_outcome try_candidate(saturation *at)
{
    uint32_t first = at->candidate->first, last = at->candidate->last;
    at->gap.front = first;
    at->gap.target = last;
    at->gap.can_go_on = ser_path_candidates_can_go_on(&at->candidates, first);
    if (thread_of(at, first) == thread_of(at, last))
        return try_closure(at);
    at->gap.used[thread_of(at, first)] = true;
    ser_outcome outcome = try_far(at, last);
    at->gap.used[thread_of(at, first)] = false;
    return outcome;
}

/* After the first i of the list, which took so long since its start: will the others take longer
 * than there is time? That is asked now and then. */
static bool will_be_late(const saturation *at, size_t i, double start)
{
    enum { OFTEN = 16 };
    static const double SHARE = 0.05; /* of the time that is left, before it is asked */
    if (!at->options->hurries || at->options->deadline <= 0 || i == 0 || i % OFTEN)
        return false;
    double now = ser_clock_work(), left = at->options->deadline - now;
    double needed = (now - start) / (double)i * (double)(at->candidates.list.count - i);
    return now - start > SHARE * left && needed > left;
}

/* All in the list. True: go on with others. */
static bool try_candidates(saturation *at)
{
    double start = ser_clock_work();
    if (!at->candidates.is_complete)
        at->answer->outcome = SER_UNKNOWN;
    for (size_t i = 0; i < at->candidates.list.count; i++) {
        bool is_late = will_be_late(at, i, start);
        if (is_late)
            at->answer->reason = SER_REASON_TIME;
        if (is_late || ser_search_must_stop(at->options, &at->answer->reason)) {
            at->answer->outcome = SER_UNKNOWN;
            return false;
        }
        at->candidate = &at->candidates.list.items[i];
        ser_outcome outcome = try_candidate(at);
        if (outcome == SER_VIOLATED)
            return false;
        if (outcome == SER_UNKNOWN)
            at->answer->outcome = SER_UNKNOWN;
    }
    return true;
}

/* --- three accesses (ser_search_triple) --------------------------------------------- */

static bool may_fail(const ser_task_step *step)
{
    return step->access == SER_ACCESS_RMW && !step->writes_anyway;
}

/* Where the pattern is one only if a certain one of them writes. (The first one stops its thread if
 * it does not.) */
static void demand_writes(saturation *at, const ser_search_triple *triple)
{
    const ser_task_step *steps = at->task->steps.items;
    bool is_read = steps[triple->remote].access == SER_ACCESS_READ;
    bool needs_remote = steps[triple->from].access == SER_ACCESS_READ ||
                        steps[triple->to].access == SER_ACCESS_READ;
    uint32_t writer = is_read ? triple->to : triple->remote;
    if ((is_read || needs_remote) && may_fail(&steps[writer]) && !at->closure.impossible)
        ser_closure_demand_unbroken(&at->closure, writer);
}

/* In the run that was taken. */
static bool did_write(const saturation *at, uint32_t step)
{
    const ser_machine *machine = at->run.machine;
    for (uint32_t i = 0; i < machine->depth; i++)
        if (machine->log[i].step == step)
            return machine->log[i].wrote;
    return false;
}

static bool is_unserializable(const saturation *at, const ser_search_triple *triple)
{
    return did_write(at, triple->remote) ||
           (did_write(at, triple->from) && did_write(at, triple->to));
}

static void decide_triple(saturation *at)
{
    const ser_search_triple *triple = &at->options->triple;
    at->answer->explored++;
    ser_closure_reset(&at->closure, triple->to);
    demand_before(&at->closure, triple->from, triple->remote);
    demand_before(&at->closure, triple->remote, triple->to);
    demand_writes(at, triple);
    if (!at->closure.impossible)
        ser_rules_apply(&at->rules, &at->closure);
    if (at->closure.impossible)
        at->answer->outcome = SER_NO_VIOLATION;
    else if (ser_directed_run_take_all(&at->run, &at->closure) && is_unserializable(at, triple))
        keep_order(at);
    else
        at->answer->outcome = SER_UNKNOWN;
}

/* Are there more candidates than are looked at? Then they cannot be decided together. */
static bool has_too_many(saturation *at)
{
    ser_path_candidates_list_far(&at->candidates);
    return !at->candidates.is_complete;
}

/* None, unless a candidate is a violation or stays open. */
static void decide(saturation *at)
{
    if (at->options->hurries && has_too_many(at)) {
        at->answer->outcome = SER_UNKNOWN;
        at->answer->reason = SER_REASON_TIME;
        return;
    }
    ser_path_candidates_list_near(&at->candidates);
    if (!try_candidates(at))
        return;
    ser_path_candidates_list_far(&at->candidates);
    (void)try_candidates(at);
}

/* Three clocks a step, and some 150 bytes in arrays by step. */
static size_t bytes(const ser_task *task)
{
    return task->steps.count * (3 * sizeof(uint32_t) * task->threads.count + 150);
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
    if (options->criterion == SER_CRITERION_SERIALIZABILITY)
        answer->outcome = SER_UNKNOWN;
    if (options->criterion == SER_CRITERION_TRIPLE)
        decide_triple(&at);
    else
        decide(&at);
    fini(&at);
}

const ser_search_engine ser_search_saturation = {"static", run};
