/* SPDX-License-Identifier: MIT */
/*
 * What is known about all blocks at once beside what is found for each by itself: sizes
 * between frontiers, and proofs by facts about the whole run.
 */
#include "base/status.h"
#include "load.h"
#include "predict/extent.h"
#include "predict/static_check.h"
#include "predict/tas.h"
#include "sample.h"

typedef struct survey {
    ser_run *run;
    ser_order *order;
    ser_index *index;
    ser_guards *guards;
    uint64_t *extents;
} survey;

static void start_survey(survey *all, const sample *s)
{
    all->run = load_sample(s);
    all->order = ser_order_create(all->run);
    all->index = ser_index_create(all->run);
    ser_outer outer = ser_outer_of(all->order);
    all->guards = ser_guards_create(all->run, &outer);
    ser_outer_fini(&outer);
    all->extents = ser_extent_of_blocks(all->order);
}

static void end_survey(survey *all)
{
    free(all->extents);
    ser_guards_destroy(all->guards);
    ser_index_destroy(all->index);
    ser_order_destroy(all->order);
    ser_run_destroy(all->run);
}

static bool block_differs(const survey *all, uint32_t block, difference *found)
{
    uint32_t begin = all->run->blocks.items[block].begin;
    if (!ser_block_first_access(all->run, block))
        return all->extents[block] && differ(found, "block of event %u has an extent\n", begin);
    ser_segment *frontiers = ser_tas_frontiers(all->order, block);
    uint64_t size = ser_segment_size(frontiers);
    bool quick = ser_static_check_run(all->order, all->guards, block) != SER_STATIC_OPEN;
    bool exact = ser_static_check(all->order, all->index, block, frontiers) != SER_STATIC_OPEN;
    ser_segment_destroy(frontiers);
    if (size != all->extents[block])
        return differ(found, "block of event %u: %u events between its frontiers, not %u\n", begin,
                      (unsigned)size, (unsigned)all->extents[block]);
    return quick && !exact && differ(found, "block of event %u is proven too quickly\n", begin);
}

static bool fail_static(const trial *t, const sample *s, difference *found)
{
    (void)t;
    survey all;
    start_survey(&all, s);
    bool differs = false;
    for (uint32_t i = 0; i < all.run->blocks.count && !differs; i++)
        differs = block_differs(&all, i, found);
    end_survey(&all);
    return differs;
}

const trial trial_static = {"static", fail_static, NULL, true};
