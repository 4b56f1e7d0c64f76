/* SPDX-License-Identifier: MIT */
/*
 * A trial (try_set) builds the task of the segment with the rules of a set of reads, and searches.
 * The reads that are broken in the witness are all that can be needed. Mostly one of them is: that
 * is tried first (try_single_reads), then whether one after the other can be dropped (leave_out).
 */
#include "predict/candidates/candidate_trial.h"

#include "base/clock.h"
#include "predict/portfolio.h"
#include "predict/task/build.h"
#include "witness/minimise.h"

enum { MOST_SINGLE = 12, MOST_OMITTED = 40 };

static const double TRIAL_SECONDS = 0.3;

/* A segment of a block, and what was found in it. */
typedef struct trial {
    ser_candidate_trials *all;
    uint32_t block;
    const ser_segment *segment;
    ser_event_list order; /* the witness with the smallest set so far; empty: none */
    ser_witness_facts facts;
    ser_event_list set; /* the reads that it needs to change */
    ser_status status;
    ser_error *error;
} trial;

void ser_candidate_trials_init(ser_candidate_trials *trials)
{
    ser_model_make_data(&trials->rules, trials->run);
    trials->with_rules = *trials->run;
    trials->with_rules.reads = &trials->rules;
}

void ser_candidate_trials_fini(ser_candidate_trials *trials)
{
    ser_checker_destroy(trials->checker);
    ser_reads_fini(&trials->rules);
    ser_vector_free(&trials->loose);
}

/* --- rules -------------------------------------------------------------------- */

static void set_limit(ser_candidate_trials *all, uint32_t read, uint32_t limit)
{
    ser_vector_push(&all->loose, ((ser_loose_read){read, all->rules.rules.items[read].limit,
                                                   all->rules.writes_anyway.items[read]}));
    all->rules.rules.items[read].limit = limit;
    all->rules.writes_anyway.items[read] = all->loosest->writes_anyway.items[read];
}

/* All accesses of its step are alike. */
static void loosen_step(ser_candidate_trials *all, uint32_t read)
{
    uint32_t first = ser_run_step_first(all->run, read), last = ser_run_step_last(all->run, read);
    uint32_t limit = SER_LIMIT_NONE;
    for (uint32_t event = first; event <= last; event++) {
        uint32_t taught = ser_lessons_limit(all->lessons, all->run, event);
        uint32_t loosest = all->loosest->rules.items[event].limit;
        limit = taught < limit ? taught : limit;
        limit = loosest < limit ? loosest : limit;
    }
    for (uint32_t event = first; event <= last && limit > last; event++)
        set_limit(all, event, limit);
}

static void tighten_all(ser_candidate_trials *all)
{
    for (; all->loose.count > 0; all->loose.count--) {
        const ser_loose_read *last = &all->loose.items[all->loose.count - 1];
        all->rules.rules.items[last->read].limit = last->limit;
        all->rules.writes_anyway.items[last->read] = last->writes_anyway;
    }
}

/* --- one search ------------------------------------------------------------------ */

static ser_status check(trial *one, const ser_event_list *order, ser_witness_facts *facts,
                        ser_error *error)
{
    ser_candidate_trials *all = one->all;
    const ser_checker_model model = {.reads = &all->rules};
    bool cycles = all->options->search.criterion == SER_CRITERION_SERIALIZABILITY;
    if (!all->checker)
        all->checker = ser_checker_create(all->run->events, all->run->count, &model);
    return ser_checker_check(all->checker, all->run->blocks.items[one->block].begin, cycles,
                             order->items, order->count, facts, error);
}

static void keep(trial *one, ser_event_list *order, ser_witness_facts *facts)
{
    ser_vector_free(&one->order);
    ser_witness_facts_fini(&one->facts);
    one->order = *order;
    one->facts = *facts;
}

/* As it was found, or smaller. The checker decides. */
static void take_witness(trial *one, ser_event_list *order)
{
    ser_witness_facts facts = {0}, smaller = {0};
    ser_error reason = {0}, ignored;
    if (check(one, order, &facts, &reason) != SER_OK) {
        one->status = ser_fail(one->error, SER_INTERNAL,
                               "the candidate for the block at event %u is refused: %s",
                               one->all->run->blocks.items[one->block].begin, reason.text);
        ser_vector_free(order);
        return;
    }
    ser_event_list small = {0};
    ser_vector_extend(&small, order->count);
    memcpy(small.items, order->items, order->count * sizeof *small.items);
    ser_witness_minimise(&one->all->with_rules, &small, facts.path.items, facts.path.count, true);
    if (check(one, &small, &smaller, &ignored) == SER_OK) {
        ser_vector_free(order);
        ser_witness_facts_fini(&facts);
        keep(one, &small, &smaller);
    } else {
        ser_vector_free(&small);
        keep(one, order, &facts);
    }
}

static bool search(trial *one)
{
    const ser_predict_options *options = one->all->options;
    ser_candidate_trials *all = one->all;
    ser_task *task = ser_task_build(&all->with_rules, all->index, one->block, one->segment, NULL);
    ser_search_options search = options->search;
    ser_answer answer = {.outcome = SER_UNKNOWN};
    search.deadline = ser_clock_work() + TRIAL_SECONDS;
    search.stop = NULL;
    if (options->engine)
        options->engine->run(task, &search, &answer);
    else
        ser_portfolio_run(task, &search, &answer);
    all->explored += answer.explored;
    bool found = answer.outcome == SER_VIOLATED;
    if (found) {
        ser_event_list order = {0};
        ser_segment_start(one->segment, all->run, &order);
        for (size_t i = 0; i < answer.order.count; i++)
            ser_vector_push(&order, task->steps.items[answer.order.items[i]].event);
        take_witness(one, &order);
    }
    ser_answer_fini(&answer);
    ser_task_destroy(task);
    return found && one->status == SER_OK;
}

static bool is_loose(const ser_candidate_trials *all, uint32_t read)
{
    for (size_t i = 0; i < all->loose.count; i++)
        if (all->loose.items[i].read == read)
            return true;
    return false;
}

/* The reads of the witness that changed and may: of the last trial. */
static void note_set(trial *one)
{
    one->set.count = 0;
    for (size_t i = 0; i < one->facts.broken.count; i++)
        if (is_loose(one->all, one->facts.broken.items[i]))
            ser_vector_push(&one->set, one->facts.broken.items[i]);
}

/* Only these reads may change, without the one with index `skipped`. */
static bool try_set(trial *one, const uint32_t *reads, size_t count, uint32_t skipped)
{
    tighten_all(one->all);
    for (size_t i = 0; i < count; i++)
        if (reads[i] != skipped)
            loosen_step(one->all, reads[i]);
    bool found = one->all->loose.count > 0 && search(one);
    if (found)
        note_set(one);
    return found;
}

/* --- all of them ------------------------------------------------------------------- */

static bool try_all_reads(trial *one)
{
    const ser_run *run = one->all->run;
    ser_event_list reads = {0};
    for (uint32_t i = 0; i < one->segment->threads; i++) {
        for (uint32_t eid = one->segment->from[i]; eid < one->segment->to[i]; eid++) {
            uint32_t event = ser_run_at(run, i, eid);
            if (ser_op_reads((ser_op)run->events[event].op))
                ser_vector_push(&reads, event);
        }
    }
    bool found = try_set(one, reads.items, reads.count, 0);
    ser_vector_free(&reads);
    return found;
}

static ser_event_list copy_of(const ser_event_list *set)
{
    ser_event_list copy = {0};
    for (size_t i = 0; i < set->count; i++)
        ser_vector_push(&copy, set->items[i]);
    return copy;
}

/* A candidate with more changes than it needs is better than none in time. */
static bool goes_on(const trial *one)
{
    const ser_predict_options *options = one->all->options;
    return one->status == SER_OK && !(options->should_stop && options->should_stop());
}

static void try_single_reads(trial *one)
{
    ser_event_list reads = copy_of(&one->set);
    bool found = false;
    for (size_t i = 0; i < reads.count && i < MOST_SINGLE && !found && goes_on(one); i++)
        found = try_set(one, &reads.items[i], 1, 0);
    ser_vector_free(&reads);
}

static void leave_out(trial *one)
{
    ser_event_list reads = copy_of(&one->set);
    for (size_t i = 0; i < reads.count && i < MOST_OMITTED && one->set.count > 1 && goes_on(one);
         i++) {
        ser_event_list set = copy_of(&one->set);
        try_set(one, set.items, set.count, reads.items[i]);
        ser_vector_free(&set);
    }
    ser_vector_free(&reads);
}

ser_status ser_candidate_try(ser_candidate_trials *trials, uint32_t block,
                             const ser_segment *segment, ser_candidate *candidate, bool *found,
                             ser_error *error)
{
    trial one = {.all = trials, .block = block, .segment = segment, .error = error};
    if (try_all_reads(&one) && one.set.count > 1)
        try_single_reads(&one);
    if (one.set.count > 1)
        leave_out(&one);
    tighten_all(trials);
    *found = one.status == SER_OK && one.order.count > 0;
    if (*found) {
        candidate->changed = one.set;
        candidate->result.order = one.order;
        candidate->result.facts = one.facts;
        candidate->result.segment = ser_segment_size(segment);
        return SER_OK;
    }
    ser_vector_free(&one.set);
    ser_vector_free(&one.order);
    ser_witness_facts_fini(&one.facts);
    return one.status;
}
