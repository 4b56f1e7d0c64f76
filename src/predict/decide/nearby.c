/* SPDX-License-Identifier: MIT */
/*
 * Most violations are local, but the segment of a block may be a large part of the run: of every
 * thread that nothing orders with the block it has all events. So before the segment is searched,
 * the events around the block are: everything before them happens as observed, everything behind
 * them not at all (around). A violation that is found there is one of the whole run, and is
 * minimised and checked without what comes before. That there is none proves nothing of the run,
 * but is said where the segment cannot be searched in time: a bounded verdict.
 */
#include "predict/decide/decision.h"
#include "predict/saturation/saturation.h"
#include "predict/segment/tas.h"
#include "predict/task/build.h"
#include "witness/minimise.h"
#include "witness/reliance.h"

enum { TIMES_LARGER = 4 }; /* if nothing else is asked for */

typedef struct surroundings {
    uint32_t first, last; /* events */
    ser_segment *segment;
} surroundings;

/* Everything before the block may not be possible again where freed memory was used. */
static bool is_possible(const ser_run *run)
{
    for (size_t i = 0; run->frees && i < run->threads.count; i++)
        if (run->threads.items[i].possible < run->threads.items[i].events.count)
            return false;
    return true;
}

/* Is the segment so much larger that it should not be searched at once? */
static bool is_small_part(const ser_decision *all, uint64_t events, const ser_block_result *result)
{
    uint32_t times = all->options->near_times ? all->options->near_times : TIMES_LARGER;
    return result->segment > times * events;
}

/* Failed tries and changed reads depend on more than what is here; spared accesses would have to be
 * put into the order from here on. */
static bool is_asked_for(const ser_decision *all, const ser_block_result *result)
{
    const ser_predict_options *options = all->options;
    return options->near && all->stage->model == SER_MODEL_AVP && !all->run->reads &&
           !all->run->failed_tries && !all->run->numbering && !options->engine &&
           !options->no_segment && !options->part.of && !all->triple &&
           options->search.criterion == SER_CRITERION_PATH &&
           is_small_part(all, options->near, result) && is_possible(all->run);
}

static uint32_t last_event_of(const ser_run *run, const ser_run_block *block)
{
    const ser_event_list *events = &run->threads.items[block->thread].events;
    return block->end ? block->end : events->items[events->count - 1];
}

/* Of the thread's first event that is not before this one; one more than it has if there is none.
 */
static uint32_t first_eid_from(const ser_run *run, uint32_t thread, uint32_t event)
{
    uint32_t before = ser_run_last_before(run, thread, event);
    return before ? run->eid[before] + 1 : 1;
}

/* A thread that waits where they begin could be in the way of a notify that follows. */
static bool has_pending_wait(const ser_decision *all, const surroundings *near)
{
    const ser_run *run = all->run;
    for (uint32_t i = 0; i < near->segment->threads; i++) {
        uint32_t eid = near->segment->from[i];
        uint32_t last = eid > 1 ? ser_run_at(run, i, eid - 1) : 0;
        if (last && ser_op_waits((ser_op)run->events[last].op) &&
            ser_index_between(&all->stage->survey.index->conditions, run->events[last].object,
                              near->first - 1, near->last + 1)
                .count)
            return true;
    }
    return false;
}

/* False: there are none that could be searched. To be finished in any case. */
static bool find_surroundings(ser_decision *all, const ser_block_result *result, surroundings *near)
{
    const ser_run *run = all->run;
    const ser_run_block *block = &run->blocks.items[result->block];
    uint32_t size = all->options->near, end = last_event_of(run, block);
    near->first = ser_run_step_first(run, block->begin > size ? block->begin - size : 1);
    near->last = ser_run_step_last(run, run->count - end > size ? end + size : run->count);
    near->segment = ser_tas_frontiers(all->stage->survey.order, result->block, &all->meter);
    for (uint32_t i = 0; i < near->segment->threads; i++) {
        uint32_t from = first_eid_from(run, i, near->first);
        uint32_t to = first_eid_from(run, i, near->last + 1);
        to = to < near->segment->to[i] ? to : near->segment->to[i];
        near->segment->from[i] = from;
        near->segment->to[i] = to > from ? to : from;
    }
    return is_small_part(all, near->last - near->first, result) && !all->meter.reached &&
           !has_pending_wait(all, near);
}

static ser_status check(ser_decision *all, uint32_t block, const surroundings *near,
                        const ser_event_list *order, ser_witness_facts *facts, ser_error *error)
{
    const ser_near_witness witness = {.block = all->run->blocks.items[block].begin,
                                      .start = near->first,
                                      .last = near->last,
                                      .order = order->items,
                                      .count = order->count};
    return ser_checkpoints_check(ser_stage_checkpoints(all->stage), &witness, facts, error);
}

/* What is needed from before the surroundings is there: a smaller order may still be refused, since
 * it can miss the release of a lock that is held there. Then it stays as it is. */
static void minimise(ser_decision *all, ser_block_result *result, const surroundings *near)
{
    ser_event_list small = {0};
    ser_witness_facts facts = {0};
    ser_error ignored;
    for (size_t i = 0; i < result->order.count; i++)
        ser_vector_push(&small, result->order.items[i]);
    ser_witness_minimise(all->run, &small, result->facts.path.items, result->facts.path.count,
                         false);
    if (check(all, result->block, near, &small, &facts, &ignored) == SER_OK) {
        ser_event_list large = result->order;
        ser_witness_facts_fini(&result->facts);
        result->order = small;
        result->facts = facts;
        small = large;
    } else {
        ser_witness_facts_fini(&facts);
    }
    ser_vector_free(&small);
}

static void accept(ser_decision *all, ser_block_result *result, const surroundings *near,
                   const ser_task *task, const ser_answer *answer)
{
    ser_error error = {0};
    for (size_t i = 0; i < answer->order.count; i++)
        ser_vector_push(&result->order, task->steps.items[answer->order.items[i]].event);
    if (check(all, result->block, near, &result->order, &result->facts, &error) != SER_OK) {
        all->status = ser_fail(all->error, SER_INTERNAL,
                               "the witness near the block at event %u is refused: %s",
                               all->run->blocks.items[result->block].begin, error.text);
        return;
    }
    if (!all->options->no_minimise)
        minimise(all, result, near);
    result->verdict = SER_VERDICT_VIOLATION;
    result->model = SER_MODEL_AVP;
    result->start = near->first > 1 ? near->first : 0;
    result->engine = ser_search_saturation.name;
    result->explored = answer->explored;
    result->segment = ser_segment_size(near->segment);
    result->relies_on =
        ser_witness_relies_on(all->run, result->order.items, result->order.count, &result->facts);
}

/* Those of the events around a block that must come after it cannot matter. */
static void note_bound(const ser_decision *all, const surroundings *near, ser_block_result *result)
{
    if (!all->meter.reached)
        result->bound = (ser_bound){near->first, near->last};
}

static void search(ser_decision *all, ser_block_result *result)
{
    surroundings near = {0};
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_task *task = NULL;
    if (find_surroundings(all, result, &near))
        task = ser_task_build(all->run, all->stage->survey.index, result->block, near.segment,
                              &all->meter);
    if (task) {
        ser_search_options search = all->options->search;
        search.stop = all->limits.stop;
        search.deadline = all->limits.deadline;
        ser_search_saturation.run(task, &search, &answer);
    }
    if (answer.outcome == SER_VIOLATED)
        accept(all, result, &near, task, &answer);
    else if (task && answer.outcome == SER_NO_VIOLATION)
        note_bound(all, &near, result);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
    ser_segment_destroy(near.segment);
}

bool ser_decision_look_nearby(ser_decision *all, ser_block_result *result)
{
    ser_decision_round round = all->shared->round;
    if (!is_asked_for(all, result) || all->was_left)
        return false;
    search(all, result);
    if (all->status != SER_OK || result->verdict == SER_VERDICT_VIOLATION)
        return true;
    result->is_left = round == SER_ROUND_NEAR;
    return result->is_left;
}
