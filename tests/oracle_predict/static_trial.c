/* SPDX-License-Identifier: MIT */
/*
 * What is known about all blocks at once beside what is found for each by itself: sizes
 * between frontiers, and proofs by facts about the whole run.
 */
#include "base/status.h"
#include "load.h"
#include "predict/segment/tas.h"
#include "predict/static/static_check.h"
#include "predict/static/survey.h"
#include "sample.h"

static bool block_differs(const ser_survey *all, const ser_lock_guards *by_forks, uint32_t block,
                          difference *found)
{
    uint32_t begin = all->run->blocks.items[block].begin;
    if (!ser_block_first_access(all->run, block))
        return all->extents && all->extents[block] &&
               differ(found, "block of event %u has an extent\n", begin);
    ser_segment *frontiers = ser_tas_frontiers(all->order, block, NULL);
    uint64_t size = ser_segment_size(frontiers);
    bool quick =
        ser_static_check_run(all->run, all->order, all->guards, block, NULL) != SER_STATIC_OPEN;
    bool quickest = ser_static_check_run(all->run, NULL, by_forks, block, NULL) != SER_STATIC_OPEN;
    bool exact =
        ser_static_check(all->order, all->index, block, frontiers, NULL) != SER_STATIC_OPEN;
    ser_segment_destroy(frontiers);
    if (all->extents && size != all->extents[block])
        return differ(found, "block of event %u: %u events between its frontiers, not %u\n", begin,
                      (unsigned)size, (unsigned)all->extents[block]);
    if (quickest && !exact)
        return differ(found, "block of event %u is proven by forks alone\n", begin);
    return quick && !exact && differ(found, "block of event %u is proven too quickly\n", begin);
}

static bool fail_static(const trial *t, const sample *s, difference *found)
{
    (void)t;
    const ser_survey_options options = {.guards = true, .extents = true};
    ser_run *run = load_sample(s);
    ser_survey all;
    ser_survey_init(&all, run, &options);
    ser_outer outer = ser_outer_by_forks(run);
    ser_lock_guards *by_forks = ser_guards_create(run, &outer, NULL);
    ser_outer_fini(&outer);
    bool differs = false;
    for (uint32_t i = 0; i < run->blocks.count && !differs; i++)
        differs = block_differs(&all, by_forks, i, found);
    ser_guards_destroy(by_forks);
    ser_survey_fini(&all);
    ser_run_destroy(run);
    return differs;
}

const trial trial_static = {"static", fail_static, NULL, true};
