/* SPDX-License-Identifier: MIT */
/*
 * The models beside one another: avp finds no more than the sample's model, and that no more than
 * candidates, all by brute force. What is decided in stages is right for the model that it
 * names. Each candidate that is listed is an interleaving of its model, and what is taught
 * holds for the next one.
 */
#include "load.h"
#include "loose.h"
#include "predict/candidates.h"
#include "sample.h"

typedef struct comparison {
    const sample *s;
    variant avp, loose;
    difference *found;
} comparison;

static bool differ_about(const comparison *all, uint32_t block, const char *what)
{
    return differ(all->found, "block of event %zu: %s\n", all->s->world.blocks[block].begin, what);
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
    if (result->by_facts && is_violated(&all->loose.s, result->block))
        return differ_about(all, result->block, "facts settle a block that has candidates");
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
                                   .settled_from = all->s->seed / 2 % 2,
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
