/* SPDX-License-Identifier: MIT */
/*
 * Places are the blocks without a certain violation, by code. Of each a few executions are examined
 * (search_place), and in these the meetings with other threads (meetings.h): the meeting that needs
 * the fewest changed reads is the candidate. The order in which every read may change is made when
 * the first block is looked at.
 */
#include "predict/candidates.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/output/topics.h"
#include "base/pairmap.h"
#include "predict/candidates/candidate_trial.h"
#include "predict/segment/meetings.h"
#include "predict/segment/relevance.h"
#include "predict/turns.h"

enum { MOST_LOOKED_AT = 32, MOST_TRIED = 3 }; /* runs of a place */
enum { LARGEST_SEGMENT = 600 };

/* The code of blocks, and its runs: indices in run->blocks. */
typedef struct place {
    SER_VECTOR(uint32_t) blocks;
} place;

struct ser_candidate_search {
    const ser_run *run;
    ser_predict_options options;
    SER_VECTOR(place) places;
    const ser_survey *survey; /* of the model avp: the prediction's, or own */
    ser_survey own_survey;
    ser_reads loosest_rules;
    ser_run loosest_run;
    ser_order *loosest;      /* NULL until a block is looked at */
    ser_lock_guards *guards; /* in this order */
    ser_lessons lessons;
    ser_candidate_trials trials;
};

void ser_candidate_fini(ser_candidate *candidate)
{
    ser_vector_free(&candidate->changed);
    ser_vector_free(&candidate->result.order);
    ser_witness_facts_fini(&candidate->result.facts);
    *candidate = (ser_candidate){0};
}

/* --- places ------------------------------------------------------------------------- */

static bool has_code(const ser_run *run, uint32_t block)
{
    return run->events[run->blocks.items[block].begin].site != SER_NO_SITE;
}

/* A block without a place in the code is one by itself. */
static ser_block_code code_of(const ser_run *run, uint32_t block)
{
    if (has_code(run, block))
        return ser_code_of_block(run, block);
    return (ser_block_code){UINT64_MAX, block};
}

static void add_block(ser_candidate_search *search, ser_pairmap *known, uint32_t block)
{
    ser_block_code code = code_of(search->run, block);
    uint32_t fresh = (uint32_t)search->places.count;
    uint32_t number = *ser_pairmap_add(known, code.place, code.object, fresh);
    place *its = ser_vector_slot(&search->places, number);
    ser_vector_push(&its->blocks, block);
}

static void list_places(ser_candidate_search *search, const ser_prediction *certain)
{
    bool paths = search->options.search.criterion == SER_CRITERION_PATH;
    ser_pairmap violated = {0}, known = {0};
    for (size_t i = 0; i < certain->results.count; i++) {
        const ser_block_result *result = &certain->results.items[i];
        ser_block_code code = code_of(search->run, result->block);
        if (result->verdict == SER_VERDICT_VIOLATION)
            *ser_pairmap_add(&violated, code.place, code.object, 0) = 1;
    }
    for (size_t i = 0; i < certain->results.count; i++) {
        uint32_t block = certain->results.items[i].block;
        ser_block_code code = code_of(search->run, block);
        if (paths && certain->results.items[i].by_facts)
            continue;
        if (!ser_pairmap_get(&violated, code.place, code.object, 0))
            add_block(search, &known, block);
    }
    ser_pairmap_fini(&violated);
    ser_pairmap_fini(&known);
}

size_t ser_candidate_search_places(const ser_candidate_search *search)
{
    return search->places.count;
}

uint32_t ser_candidate_search_block(const ser_candidate_search *search, size_t number)
{
    return search->places.items[number].blocks.items[0];
}

/* --- what is known of the run ---------------------------------------------------------- */

static bool must_stop(const ser_candidate_search *search)
{
    return search->options.should_stop && search->options.should_stop();
}

static ser_meter_limits limits_of(const ser_candidate_search *search)
{
    return (ser_meter_limits){.should_stop = search->options.should_stop};
}

static void forget_loosest(ser_candidate_search *search)
{
    ser_guards_destroy(search->guards);
    ser_order_destroy(search->loosest);
    ser_reads_fini(&search->loosest_rules);
    search->guards = NULL;
    search->loosest = NULL;
}

/* Every read may change. False if it was time to stop. */
static bool survey_loosest(ser_candidate_search *search)
{
    const ser_meter_limits limits = limits_of(search);
    ser_meter meter = {.limits = &limits};
    if (search->guards)
        return true;
    ser_model_make_candidate(&search->loosest_rules, search->run);
    search->loosest_run = *search->run;
    search->loosest_run.reads = &search->loosest_rules;
    search->loosest = ser_order_create(&search->loosest_run, &meter);
    if (search->loosest) {
        ser_outer outer = ser_outer_of(search->loosest);
        search->guards = ser_guards_create(&search->loosest_run, &outer, &meter);
        ser_outer_fini(&outer);
    }
    if (meter.reached == SER_OVERRUN_NONE)
        return true;
    forget_loosest(search); /* of what was looked at in part nothing is known */
    return false;
}

/* Do facts about the whole run show that the block has no candidate? Proofs about paths do not
 * hold for cycles. */
static bool is_settled(const ser_candidate_search *search, uint32_t block)
{
    bool paths = search->options.search.criterion == SER_CRITERION_PATH;
    return !ser_block_first_access(search->run, block) ||
           (paths && ser_static_check_run(search->loosest->run, search->loosest, search->guards,
                                          block, NULL) != SER_STATIC_OPEN);
}

static void forget_places(ser_candidate_search *search)
{
    for (size_t i = 0; i < search->places.count; i++)
        ser_vector_free(&search->places.items[i].blocks);
    search->places.count = 0;
}

static void use_survey(ser_candidate_search *search, const ser_prediction *certain)
{
    const ser_meter_limits limits = limits_of(search);
    const ser_survey_options plain = {.parallel = search->options.jobs > 1, .limits = &limits};
    search->survey = certain->survey ? certain->survey : &search->own_survey;
    if (certain->survey || search->places.count == 0)
        return;
    if (ser_survey_init(&search->own_survey, search->run, &plain) != SER_OVERRUN_NONE)
        forget_places(search);
}

ser_candidate_search *ser_candidate_search_create(const ser_prediction *certain,
                                                  const ser_predict_options *options)
{
    ser_candidate_search *search = ser_alloc(1, sizeof *search);
    search->run = certain->run;
    search->options = *options;
    list_places(search, certain);
    use_survey(search, certain);
    search->trials = (ser_candidate_trials){.run = search->run,
                                            .index = search->survey->index,
                                            .lessons = &search->lessons,
                                            .loosest = &search->loosest_rules,
                                            .options = &search->options};
    ser_candidate_trials_init(&search->trials);
    ser_log_info(PREDICT, "%zu places to look at for candidates", search->places.count);
    return search;
}

void ser_candidate_search_destroy(ser_candidate_search *search)
{
    if (!search)
        return;
    forget_places(search);
    ser_vector_free(&search->places);
    ser_vector_free(&search->lessons.all);
    ser_candidate_trials_fini(&search->trials);
    forget_loosest(search);
    ser_survey_fini(&search->own_survey);
    free(search);
}

void ser_candidate_search_teach(ser_candidate_search *search, uint32_t read, uint32_t limit)
{
    ser_lessons_add(&search->lessons, search->run, read, limit);
}

/* --- the search -------------------------------------------------------------------------- */

/* The part of the run in which the two meet, and could interfere; or NULL. */
static ser_segment *find_segment(const ser_candidate_search *search, const ser_meeting_place *at,
                                 const ser_meeting *meeting)
{
    ser_segment *segment = ser_meeting_segment(at, meeting, false, LARGEST_SEGMENT, NULL);
    if (segment && ser_relevance_trim(search->loosest, meeting->block, segment, NULL))
        return segment;
    ser_segment_destroy(segment);
    return NULL;
}

/* The better one of the two, in `best`. */
static void keep_better(ser_candidate *best, bool *has_best, ser_candidate *other)
{
    if (*has_best && best->changed.count <= other->changed.count) {
        ser_candidate_fini(other);
        return;
    }
    if (*has_best)
        ser_candidate_fini(best);
    *best = *other;
    *has_best = true;
}

static bool is_good_enough(const ser_candidate *best, bool has_best)
{
    return has_best && best->changed.count <= 1;
}

/* Were there meetings that could be searched? */
static ser_status search_block(ser_candidate_search *search, uint32_t block, ser_candidate *best,
                               bool *has_best, bool *tried, ser_error *error)
{
    const ser_meeting_place at = {search->survey->order, search->loosest, search->survey->index};
    ser_meeting meetings[SER_MOST_MEETINGS];
    ser_status status = SER_OK;
    size_t count = ser_meetings_find(&at, block, meetings, NULL);
    for (size_t i = 0; i < count && status == SER_OK; i++) {
        ser_candidate candidate = {0};
        bool found = false;
        if (is_good_enough(best, *has_best) || must_stop(search))
            break;
        ser_segment *segment = find_segment(search, &at, &meetings[i]);
        if (!segment)
            continue;
        *tried = true;
        candidate.result.block = block;
        status = ser_candidate_try(&search->trials, block, segment, &candidate, &found, error);
        ser_segment_destroy(segment);
        if (found)
            keep_better(best, has_best, &candidate);
    }
    return status;
}

/* The order in which executions of the place are examined: first those next to one of another
 * thread, which most likely meets it, then some from all parts of the run. */
static void choose_runs(const ser_candidate_search *search, const place *its, ser_turns *chosen)
{
    const ser_run_block *blocks = search->run->blocks.items;
    size_t count = its->blocks.count, step = count / MOST_LOOKED_AT + 1;
    for (size_t i = 1; i < count && chosen->count < MOST_LOOKED_AT; i++) {
        if (blocks[its->blocks.items[i - 1]].thread == blocks[its->blocks.items[i]].thread)
            continue;
        ser_vector_push(chosen, its->blocks.items[i - 1]);
        ser_vector_push(chosen, its->blocks.items[i]);
    }
    for (size_t i = 0; i < count; i += step)
        ser_vector_push(chosen, its->blocks.items[i]);
}

static ser_status search_place(ser_candidate_search *search, const place *its, ser_candidate *best,
                               bool *has_best, ser_error *error)
{
    size_t tried = 0;
    ser_turns runs = {0};
    ser_status status = SER_OK;
    if (!survey_loosest(search))
        return SER_OK;
    choose_runs(search, its, &runs);
    for (size_t i = 0; i < runs.count && tried < MOST_TRIED && status == SER_OK; i++) {
        bool any = false;
        if (is_good_enough(best, *has_best) || must_stop(search))
            break;
        if (!is_settled(search, runs.items[i]))
            status = search_block(search, runs.items[i], best, has_best, &any, error);
        tried += any;
    }
    ser_vector_free(&runs);
    return status;
}

ser_status ser_candidate_search_next(ser_candidate_search *search, size_t number,
                                     ser_candidate *candidate, bool *found, ser_error *error)
{
    double start = ser_clock_work();
    uint64_t explored = search->trials.explored;
    *candidate = (ser_candidate){0};
    *found = false;
    ser_status status =
        search_place(search, &search->places.items[number], candidate, found, error);
    if (status != SER_OK && *found) {
        ser_candidate_fini(candidate);
        *found = false;
    }
    candidate->place = number;
    candidate->result.verdict = *found ? SER_VERDICT_VIOLATION : SER_VERDICT_UNKNOWN;
    candidate->result.model = SER_MODEL_CANDIDATE;
    candidate->result.engine = "candidates";
    candidate->result.explored = search->trials.explored - explored;
    candidate->result.seconds = ser_clock_work() - start;
    return status;
}

/* --- all places ---------------------------------------------------------------------------- */

static int by_changes(const void *a, const void *b)
{
    const ser_candidate *one = a, *other = b;
    if (one->changed.count != other->changed.count)
        return one->changed.count < other->changed.count ? -1 : 1;
    return (one->result.block > other->result.block) - (one->result.block < other->result.block);
}

ser_status ser_candidate_search_list(ser_candidate_search *search, ser_candidate_list *list,
                                     ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; i < search->places.count && status == SER_OK && !must_stop(search); i++) {
        ser_candidate candidate;
        bool found;
        status = ser_candidate_search_next(search, i, &candidate, &found, error);
        if (found)
            ser_vector_push(list, candidate);
    }
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_changes);
    return status;
}

void ser_candidate_list_fini(ser_candidate_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        ser_candidate_fini(&list->items[i]);
    ser_vector_free(list);
}
