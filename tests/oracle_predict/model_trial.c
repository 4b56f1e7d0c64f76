/* SPDX-License-Identifier: MIT */
/*
 * The models beside one another: avp finds no more than the sample's model, and that no more than
 * candidates, all by brute force. What is decided in stages is right for the model that it
 * names. Each candidate that is listed is an interleaving of its model, and what is taught
 * holds for the next one.
 */
#include "draw_values.h"
#include "load.h"
#include "predict/candidates.h"
#include "sample.h"

enum { MOST_STATES = 300000 };

/* The sample by another model. */
typedef struct variant {
    sample s;
    ser_reads reads;
    bool ready; /* it was not too large for brute force */
} variant;

typedef struct comparison {
    const sample *s;
    variant avp, loose;
    difference *found;
} comparison;

static bool differ_about(const comparison *all, uint32_t block, const char *what)
{
    return differ(all->found, "block of event %zu: %s\n", all->s->world.blocks[block].begin, what);
}

static void vary(variant *v, const sample *s, const ser_reads *reads)
{
    v->s = *s;
    v->s.by_value = false;
    v->ready = avp_world_init(&v->s.world, s->events.items, s->events.count, reads);
    for (size_t i = 0; i < s->world.block_count && v->ready; i++) {
        sample_block *block = &v->s.blocks[i];
        block->answer[0] =
            avp_search(&v->s.world, s->world.blocks[i].begin, 0, MOST_STATES, &block->witness[0]);
        v->ready = block->answer[0] != AVP_TOO_LARGE;
    }
}

static bool has_flow(const sample *s, size_t first, size_t last, unsigned flow)
{
    for (size_t i = first; i <= last; i++)
        if (s->events.items[i - 1].flow & flow)
            return true;
    return false;
}

/* Where the trace has flows, a read-modify-write is a compare-exchange unless it says that it
 * modifies; all of a step are alike. */
static bool compares(const sample *s, size_t event)
{
    size_t first = s->world.step[event], last = first;
    if (!has_flow(s, 1, s->events.count, SER_FLOW_DATA | SER_FLOW_MODIFIES))
        return false;
    while (last < s->events.count && s->world.step[last + 1] == first)
        last++;
    for (size_t i = first; i <= last; i++)
        if (!has_flow(s, i, i, SER_FLOW_MODIFIES))
            return true;
    return false;
}

static void make_loose(variant *v, const sample *s)
{
    if (s->by_value)
        make_reads_by_value(&v->reads, &s->events);
    else
        ser_reads_init(&v->reads, (uint32_t)s->events.count);
    for (size_t i = 1; i <= s->events.count; i++) {
        bool updates = s->events.items[i - 1].op == SER_OP_RMW;
        if (updates && compares(s, i))
            continue;
        v->reads.rules.items[i].limit = SER_LIMIT_NONE;
        v->reads.writes_anyway.items[i] = updates;
    }
    vary(v, s, &v->reads);
}

static bool is_violated(const sample *s, size_t block)
{
    return s->blocks[block].answer[0] == AVP_VIOLATION;
}

/* A late access happens in avp also behind a read that stopped its thread: in other models it does
 * not. */
static bool has_late(const sample *s)
{
    for (size_t i = 0; i < s->events.count; i++)
        if (s->events.items[i].flags & SER_EVENT_LATE)
            return true;
    return false;
}

static bool models_differ(const comparison *all)
{
    if (has_late(all->s))
        return false;
    for (uint32_t i = 0; i < all->s->world.block_count; i++) {
        if (is_violated(&all->avp.s, i) && !is_violated(all->s, i))
            return differ_about(all, i, "avp finds a violation, and the model does not");
        if (is_violated(all->s, i) && !is_violated(&all->loose.s, i))
            return differ_about(all, i, "a violation is none for candidates");
    }
    return false;
}

/* --- stages ---------------------------------------------------------------- */

static bool result_differs(const comparison *all, const ser_block_result *result)
{
    const sample *named = result->model == SER_MODEL_AVP ? &all->avp.s : all->s;
    if (result->verdict == SER_VERDICT_UNKNOWN)
        return differ_about(all, result->block, "unknown");
    if (result->verdict == SER_VERDICT_VIOLATION)
        return !is_witness(named, result->block, 0, result->order.items, result->order.count,
                           all->found);
    return is_violated(named, result->block) &&
           differ_about(all, result->block, "a violation of the named model is missed");
}

/* --- candidates --------------------------------------------------------------- */

static bool has_read(const ser_candidate *candidate, uint32_t read)
{
    for (size_t i = 0; i < candidate->changed.count; i++)
        if (candidate->changed.items[i] == read)
            return true;
    return false;
}

static bool candidate_differs(const comparison *all, const ser_candidate *candidate)
{
    uint32_t block = candidate->result.block;
    if (is_violated(&all->avp.s, block))
        return differ_about(all, block, "a candidate of a block that avp finds violated");
    if (!candidate->changed.count) /* it is certain: there was no time to see it */
        return !is_violated(all->s, block) &&
               differ_about(all, block, "a candidate without a changed read");
    return !is_witness(&all->loose.s, block, 0, candidate->result.order.items,
                       candidate->result.order.count, all->found);
}

/* If the first changed read stops its thread, no candidate relies on it. */
static bool lesson_differs(const comparison *all, ser_candidate_search *search, size_t place,
                           const ser_candidate *first)
{
    ser_candidate next;
    ser_error error;
    bool found = false, differs;
    uint32_t read = first->changed.items[0];
    ser_candidate_search_teach(search, read, SER_LIMIT_NEXT);
    if (ser_candidate_search_next(search, place, &next, &found, &error))
        return differ_about(all, first->result.block, error.text);
    differs = found && (candidate_differs(all, &next) ||
                        (has_read(&next, read) &&
                         differ_about(all, next.result.block, "a taught read changes again")));
    ser_candidate_fini(&next);
    return differs;
}

static bool place_differs(const comparison *all, ser_candidate_search *search, size_t place)
{
    ser_candidate candidate;
    ser_error error;
    bool found = false;
    if (ser_candidate_search_next(search, place, &candidate, &found, &error))
        return differ_about(all, ser_candidate_search_block(search, place), error.text);
    bool differs = found && candidate_differs(all, &candidate);
    if (found && candidate.changed.count && !differs)
        differs = lesson_differs(all, search, place, &candidate);
    ser_candidate_fini(&candidate);
    return differs;
}

static bool prediction_differs(const comparison *all, const ser_run *run)
{
    ser_predict_options options = {.model = SER_MODEL_GUARDS,
                                   .staged = true,
                                   .keep_survey = all->s->seed % 2,
                                   .jobs = 1,
                                   .search = {.switches = UINT32_MAX}};
    ser_prediction prediction;
    ser_error error;
    bool differs =
        ser_predict(&prediction, run, &options, &error) && differ(all->found, "%s\n", error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = result_differs(all, &prediction.results.items[i]);
    ser_candidate_search *search = ser_candidate_search_create(&prediction, &options);
    for (size_t i = 0; i < ser_candidate_search_places(search) && !differs; i++)
        differs = place_differs(all, search, i);
    ser_candidate_search_destroy(search);
    ser_prediction_fini(&prediction);
    return differs;
}

static bool fail_models(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (s->world.reads && !s->by_value)
        return false; /* rules of its own */
    comparison all = {.s = s, .found = found};
    vary(&all.avp, s, NULL);
    make_loose(&all.loose, s);
    bool differs = all.avp.ready && all.loose.ready && models_differ(&all);
    if (all.avp.ready && all.loose.ready && !differs) {
        ser_run *run = load_sample(s);
        differs = prediction_differs(&all, run);
        ser_run_destroy(run);
    }
    avp_world_fini(&all.avp.s.world);
    avp_world_fini(&all.loose.s.world);
    ser_reads_fini(&all.loose.reads);
    return differs;
}

const trial trial_models = {"models", fail_models, NULL, false};
