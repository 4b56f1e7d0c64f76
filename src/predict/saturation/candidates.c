/* SPDX-License-Identifier: MIT */
/*
 * Within a thread, list_near goes forwards from access to access, vn, and keeps those
 * before that may be v1. Between threads, list_far searches from each v1 along conflicts
 * and program order.
 */
#include "predict/saturation/candidates.h"

#include "predict/saturation/candidate_order.h"

enum { MOST_CANDIDATES = 20000, STEPS_BETWEEN_LOOKS = 256 };

typedef struct lister {
    ser_path_candidates *found;
    SER_VECTOR(uint32_t) exits;   /* see remember_exit */
    bool *visited;                /* by step, of one search */
    SER_VECTOR(uint32_t) reached; /* the steps visited */
    uint32_t ticks;
    bool is_late; /* the time is over */
} lister;

static const ser_task_step *step_at(const ser_path_candidates *at, uint32_t step)
{
    return &at->task->steps.items[step];
}

static ser_range within_block(const ser_task *task, ser_range range)
{
    return ser_range_until(ser_range_from(range, task->first_block_step),
                           task->last_block_step + 1);
}

static void find_block_accesses(ser_path_candidates *at)
{
    const ser_lanes *lanes = at->lanes;
    at->of_block = ser_alloc((size_t)at->task->variables + 1, sizeof *at->of_block);
    for (uint32_t v = 0; v < at->task->variables; v++) {
        for (uint32_t i = lanes->first_of[v]; i < lanes->first_of[v + 1]; i++) {
            const ser_lane *lane = &lanes->all.items[i];
            if (lane->thread == at->task->block_thread)
                at->of_block[v] = (ser_block_accesses){within_block(at->task, lane->accesses),
                                                       within_block(at->task, lane->writes)};
        }
    }
}

/* Accesses of the block that may conflict with the step. */
static ser_range block_rivals(const ser_path_candidates *at, uint32_t step)
{
    const ser_block_accesses *block = &at->of_block[step_at(at, step)->variable];
    return step_at(at, step)->access == SER_ACCESS_READ ? block->writes : block->all;
}

/* Is the section open from the block's first access to its last? */
static bool spans_block(const ser_task *task, const ser_section *section)
{
    return section->thread == task->block_thread &&
           (section->acquire == SER_TASK_START || section->acquire < task->first_block_step) &&
           section->release > task->last_block_step; /* NONE is large */
}

static void keep_out(ser_path_candidates *at, const ser_section *section)
{
    const ser_task_thread *thread = &at->task->threads.items[section->thread];
    uint32_t first = section->acquire == SER_TASK_START ? thread->first : section->acquire;
    uint32_t end = thread->first + thread->count;
    if (section->release != SER_TASK_NONE)
        end = section->release + 1;
    for (uint32_t i = first; i < end; i++)
        at->kept_out[i] = true;
}

static void keep_out_rivals(ser_path_candidates *at, const ser_sections *sections,
                            const ser_section *held)
{
    for (size_t i = 0; i < sections->all.count; i++) {
        const ser_section *other = &sections->all.items[i];
        if (other->lock == held->lock && other->thread != held->thread &&
            !(other->shared && held->shared))
            keep_out(at, other);
    }
}

static bool may_lie_on_path(const ser_path_candidates *at, uint32_t step)
{
    return step_at(at, step)->access && step_at(at, step)->thread != at->task->block_thread &&
           ser_must_can_happen(at->must, step) && !at->kept_out[step];
}

static void find_exits(ser_path_candidates *at)
{
    for (uint32_t i = 0; i < at->task->steps.count; i++) {
        at->exit[i] = SER_TASK_NONE;
        if (!may_lie_on_path(at, i))
            continue;
        ser_range block = block_rivals(at, i);
        if (block.count && !ser_must_precede(at->must, i, block.steps[0]))
            at->exit[i] = block.steps[0];
    }
}

/* A read at which a thread may stop must see a write that does not come before the block's `exit`.
 */
bool ser_path_candidates_can_go_on(const ser_path_candidates *at, uint32_t step)
{
    const ser_task_step *access = step_at(at, step);
    if (access->access == SER_ACCESS_WRITE || at->exit[step] == SER_TASK_NONE)
        return true;
    if (step_at(at, at->exit[step])->access == SER_ACCESS_READ)
        return true;
    if (access->limit > ser_task_move_end(at->task, step) || access->accepts.count)
        return true;
    if (access->source >= SER_TASK_NONE || !ser_must_can_happen(at->must, access->source))
        return false;
    return !ser_must_precede(at->must, access->source, at->exit[step]);
}

static uint32_t distance(const ser_path_candidates *at, uint32_t a, uint32_t b)
{
    uint32_t one = step_at(at, a)->event, other = step_at(at, b)->event;
    return one > other ? one - other : other - one;
}

/* Is it in the part that the task asks for? If there are enough, those with equal t are in the same
 * part, since they share work. */
static bool is_in_part(const ser_task *task, uint32_t first, uint32_t to)
{
    if (task->part.of <= 1)
        return true;
    uint32_t accesses = task->last_block_step - task->first_block_step + 1;
    uint64_t word = accesses >= task->part.of ? to : (uint64_t)to << 32 | first;
    word = (word ^ word >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return (word >> 32) % task->part.of == task->part.number - 1;
}

static void add(lister *at, uint32_t first, uint32_t last, uint32_t to)
{
    const ser_path_candidates *found = at->found;
    if (!is_in_part(found->task, first, to))
        return;
    ser_path_candidate fresh = {found->exit[first], first, last, to, 0};
    fresh.distance = distance(found, fresh.from, first) + distance(found, last, to);
    ser_vector_push(&at->found->list, fresh);
}

static bool is_full(const lister *at)
{
    return at->found->list.count > MOST_CANDIDATES;
}

/* Full, or asked to stop; tested in every long loop. */
static bool is_over(lister *at)
{
    ser_reason reason;
    if (++at->ticks % STEPS_BETWEEN_LOOKS == 0 && ser_search_must_stop(at->found->options, &reason))
        at->is_late = true;
    return at->is_late || is_full(at);
}

/* Where a path may come back from `last`, if it left the block for `first`. */
static void add_returns(lister *at, uint32_t first, uint32_t last)
{
    const ser_path_candidates *found = at->found;
    ser_range block = ser_range_from(block_rivals(found, last), found->exit[first] + 1);
    block = ser_range_not_before(block, found->must, last);
    for (uint32_t i = 0; i < block.count && !is_full(at); i++)
        add(at, first, last, block.steps[i]);
}

/* Accesses of the thread at hand that can be v1 for whatever comes next: each has a
 * larger exit than those before it. */
static void remember_exit(lister *at, uint32_t step)
{
    const ser_path_candidates *found = at->found;
    if (found->exit[step] == SER_TASK_NONE || !ser_path_candidates_can_go_on(found, step))
        return;
    while (at->exits.count &&
           found->exit[at->exits.items[at->exits.count - 1]] >= found->exit[step])
        at->exits.count--;
    ser_vector_push(&at->exits, step);
}

/* Of the steps [first, end) of a move that can be v1 the one with the least exit, which
 * asks for least; SER_TASK_NONE: none can. */
static uint32_t least_exit(const ser_path_candidates *found, uint32_t first, uint32_t end)
{
    uint32_t best = SER_TASK_NONE, least = SER_TASK_NONE;
    for (uint32_t i = first; i < end; i++) {
        if (found->exit[i] >= least)
            continue;
        best = i;
        least = found->exit[i];
    }
    return best;
}

/* `own` is the v1 in the move of vn. */
static void list_near_to(lister *at, uint32_t last, uint32_t own)
{
    const ser_path_candidates *found = at->found;
    uint32_t least = own == SER_TASK_NONE ? SER_TASK_NONE : found->exit[own];
    if (!block_rivals(found, last).count)
        return;
    if (own != SER_TASK_NONE)
        add_returns(at, own, last);
    for (size_t i = at->exits.count; i-- > 0 && !is_full(at);)
        if (found->exit[at->exits.items[i]] < least)
            add_returns(at, at->exits.items[i], last);
}

static void list_near(lister *at, uint32_t thread)
{
    const ser_path_candidates *found = at->found;
    uint32_t first = found->task->threads.items[thread].first, end;
    uint32_t stop = first + found->must->possible[thread];
    at->exits.count = 0;
    for (; first < stop && !is_over(at); first = end) {
        end = ser_task_move_end(found->task, first);
        if (found->kept_out[first])
            at->exits.count = 0;
        if (!may_lie_on_path(found, first))
            continue;
        uint32_t own = least_exit(found, first, end);
        for (uint32_t i = first; i < end; i++)
            list_near_to(at, i, own);
        for (uint32_t i = first; i < end; i++)
            remember_exit(at, i);
    }
}

/* On with all accesses of the thread from this move on. */
static void arrive(lister *at, uint32_t step)
{
    const ser_path_candidates *found = at->found;
    const ser_task_thread *thread = &found->task->threads.items[step_at(found, step)->thread];
    for (step = ser_task_move_first(found->task, step);
         step < thread->first + thread->count && !found->kept_out[step]; step++) {
        if (!may_lie_on_path(found, step))
            continue;
        if (at->visited[step])
            return;
        at->visited[step] = true;
        ser_vector_push(&at->reached, step);
    }
}

/* On to those of other threads that conflict and need not come before. */
static void follow_conflicts(lister *at, uint32_t step)
{
    const ser_path_candidates *found = at->found;
    const ser_task_step *here = step_at(found, step);
    uint32_t end = found->lanes->first_of[here->variable + 1];
    for (uint32_t i = found->lanes->first_of[here->variable]; i < end; i++) {
        const ser_lane *lane = &found->lanes->all.items[i];
        if (lane->thread == here->thread || lane->thread == found->task->block_thread)
            continue;
        ser_range rivals = ser_lane_rivals(lane, here->access);
        rivals = ser_range_not_before(rivals, found->must, step);
        for (uint32_t k = 0; k < rivals.count; k++)
            if (!at->visited[rivals.steps[k]])
                arrive(at, rivals.steps[k]);
    }
}

static void push_move(lister *at, uint32_t step)
{
    const ser_task *task = at->found->task;
    for (uint32_t i = ser_task_move_first(task, step); i < ser_task_move_end(task, step); i++)
        ser_vector_push(&at->reached, i);
}

static void list_far(lister *at, uint32_t first)
{
    const ser_path_candidates *found = at->found;
    at->reached.count = 0;
    if (ser_path_candidates_can_go_on(found, first))
        arrive(at, first);
    else
        push_move(at, first);
    for (size_t i = 0; i < at->reached.count && !is_over(at); i++)
        follow_conflicts(at, at->reached.items[i]);
    for (size_t i = 0; i < at->reached.count && !is_over(at); i++) {
        uint32_t last = at->reached.items[i];
        if (step_at(found, last)->thread != step_at(found, first)->thread)
            add_returns(at, first, last);
    }
    for (size_t i = 0; i < at->reached.count; i++)
        at->visited[at->reached.items[i]] = false;
}

static void start_listing(ser_path_candidates *candidates)
{
    candidates->list.count = 0;
    candidates->is_complete = false;
}

static void end_listing(lister *at)
{
    at->found->is_complete = !is_full(at) && !at->is_late;
    ser_vector_free(&at->exits);
    ser_vector_free(&at->reached);
    free(at->visited);
}

void ser_path_candidates_list_near(ser_path_candidates *candidates)
{
    lister at = {.found = candidates};
    start_listing(candidates);
    for (uint32_t t = 0; t < candidates->task->threads.count; t++)
        if (t != candidates->task->block_thread)
            list_near(&at, t);
    ser_path_candidates_sort_near(candidates);
    end_listing(&at);
}

void ser_path_candidates_list_far(ser_path_candidates *candidates)
{
    uint32_t count = (uint32_t)candidates->task->steps.count;
    lister at = {.found = candidates, .visited = ser_alloc((size_t)count + 1, sizeof(bool))};
    start_listing(candidates);
    for (uint32_t i = 0; i < count && !is_over(&at); i++)
        if (candidates->exit[i] != SER_TASK_NONE)
            list_far(&at, i);
    ser_path_candidates_sort_far(candidates);
    end_listing(&at);
}

void ser_path_candidates_init(ser_path_candidates *candidates, const ser_lanes *lanes,
                              const ser_must *must, const ser_sections *sections,
                              const ser_search_options *options)
{
    const ser_task *task = must->task;
    size_t count = task->steps.count + 1;
    *candidates = (ser_path_candidates){.task = task, .lanes = lanes, .must = must};
    candidates->options = options;
    find_block_accesses(candidates);
    candidates->kept_out = ser_alloc(count, sizeof *candidates->kept_out);
    candidates->exit = ser_alloc(count, sizeof *candidates->exit);
    for (size_t i = 0; i < sections->all.count; i++)
        if (spans_block(task, &sections->all.items[i]))
            keep_out_rivals(candidates, sections, &sections->all.items[i]);
    find_exits(candidates);
}

void ser_path_candidates_fini(ser_path_candidates *candidates)
{
    ser_vector_free(&candidates->list);
    free(candidates->of_block);
    free(candidates->kept_out);
    free(candidates->exit);
}
