/* SPDX-License-Identifier: MIT */
/*
 * Blocks decided in parts (ser_predict_options.part) beside the brute force: a part finds only
 * violations, and one part finds one where there is one. All parts are predicted one after the
 * other with facts that are kept, as the ranks of a cluster do it.
 */
#include "base/status.h"
#include "load.h"
#include "predict/predict.h"
#include "sample.h"

enum { MOST_PARTS = 16 };

typedef struct parts {
    const sample *s;
    const ser_run *run;
    ser_predict_options options;
    int criterion;
    bool *found; /* by block */
    difference *difference;
} parts;

static bool result_differs(parts *all, const ser_block_result *result)
{
    size_t begin = all->s->world.blocks[result->block].begin;
    if (result->verdict == SER_VERDICT_UNKNOWN)
        return differ(all->difference, "block of event %zu, part %u of %u: unknown\n", begin,
                      all->options.part.number, all->options.part.of);
    if (result->verdict != SER_VERDICT_VIOLATION)
        return false;
    all->found[result->block] = true;
    if (is_witness(all->s, result->block, all->criterion, result->order.items, result->order.count,
                   all->difference))
        return false;
    describe_order(all->difference, "order", result->order.items, result->order.count);
    return true;
}

static bool part_differs(parts *all)
{
    ser_prediction prediction;
    ser_error error;
    bool differs = false;
    if (ser_predict(&prediction, all->run, &all->options, &error) != SER_OK)
        differs = differ(all->difference, "%s\n", error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = result_differs(all, &prediction.results.items[i]);
    ser_prediction_fini(&prediction);
    return differs;
}

static bool a_block_differs(const parts *all)
{
    for (size_t i = 0; i < all->run->blocks.count; i++)
        if ((all->s->blocks[i].answer[all->criterion] == AVP_VIOLATION) && !all->found[i])
            return differ(all->difference,
                          "the violation of the block of event %zu is missed by %u parts\n",
                          all->s->world.blocks[i].begin, all->options.part.of);
    return false;
}

static bool parts_differ(parts *all, uint32_t count)
{
    ser_decider *kept = NULL;
    bool differs = false;
    all->options.kept = &kept;
    all->found = ser_alloc(all->run->blocks.count + 1, sizeof *all->found);
    for (uint32_t i = 1; i <= count && !differs; i++) {
        all->options.part = (ser_shard){i, count};
        differs = part_differs(all);
    }
    if (!differs)
        differs = a_block_differs(all);
    free(all->found);
    ser_decider_destroy(kept);
    return differs;
}

static bool fail_split(const trial *t, const sample *s, difference *found)
{
    (void)t;
    ser_run *run = load_sample(s);
    parts all = {.s = s, .run = run, .difference = found, .criterion = s->seed / 8 % 4 == 0};
    all.options = (ser_predict_options){
        .model = s->by_value ? SER_MODEL_GUARDS : SER_MODEL_AVP,
        .no_static = s->seed / 2 % 2,
        .no_segment = s->seed / 4 % 2,
        .jobs = 1,
        .search = {.switches = UINT32_MAX},
    };
    if (all.criterion)
        all.options.search.criterion = SER_CRITERION_SERIALIZABILITY;
    bool differs = parts_differ(&all, 2 + (uint32_t)(s->seed / 32 % (MOST_PARTS - 1)));
    ser_run_destroy(run);
    return differs;
}

const trial trial_split = {"split", fail_split, NULL, false};
