/* SPDX-License-Identifier: MIT */
/*
 * A stage after the first: violations are looked for where the block meets another thread
 * (meetings.h), and then, within a small budget, the exact answer of the stage. If that is
 * reached, the result names the stage's model; if not, it stays the one of the first stage, with
 * its model. All blocks together may spend in later stages about half of what they
 * spend in the first.
 */
#include "base/clock.h"
#include "predict/decide/decision.h"
#include "predict/segment/meetings.h"
#include "predict/segment/relevance.h"

enum { LARGEST_MEETING = 400, LARGEST_SEGMENT = 400 };

static const double LEAST_SECONDS = 0.1;          /* for a block */
static const uint64_t FREE_MICROSECONDS = 300000; /* for all of them */
static const double MICROSECONDS = 1e6;

/* Does the segment have a read for which the stage is not as avp? */
static bool has_loose_read(const ser_decision *all, const ser_segment *segment)
{
    for (uint32_t i = 0; i < segment->threads; i++)
        for (uint32_t eid = segment->from[i]; eid < segment->to[i]; eid++)
            if (ser_stage_lets_change(all->stage, ser_run_at(all->run, i, eid)))
                return true;
    return false;
}

static ser_segment *find_segment(ser_decision *all, const ser_meeting_place *at,
                                 const ser_meeting *meeting, bool sources)
{
    ser_segment *segment = ser_meeting_segment(at, meeting, sources, LARGEST_MEETING, &all->meter);
    if (segment && has_loose_read(all, segment) &&
        ser_relevance_trim(all->stage->survey.order, meeting->block, segment, &all->meter) &&
        !all->meter.reached)
        return segment;
    ser_segment_destroy(segment);
    return NULL;
}

static bool goes_on(const ser_decision *all, const ser_block_result *result)
{
    return result->verdict != SER_VERDICT_VIOLATION && all->status == SER_OK && !all->meter.reached;
}

/* Nothing found there proves nothing. */
static void search_meeting(ser_decision *all, const ser_meeting_place *at,
                           const ser_meeting *meeting, bool sources, ser_block_result *result)
{
    ser_segment *segment = find_segment(all, at, meeting, sources);
    if (segment) {
        result->segment = ser_segment_size(segment);
        ser_decision_search(all, result, segment);
    }
    if (result->verdict != SER_VERDICT_VIOLATION)
        result->verdict = SER_VERDICT_UNKNOWN;
    ser_segment_destroy(segment);
}

/* First without the writes that reads saw, which may be far away. */
static void search_meetings(ser_decision *all, ser_block_result *result)
{
    const ser_survey *first = &all->shared->stages[0].survey;
    const ser_meeting_place at = {first->order, all->stage->survey.order, first->index};
    ser_meeting meetings[SER_MOST_MEETINGS];
    size_t count = ser_meetings_find(&at, result->block, meetings, &all->meter);
    all->only_finds = true;
    for (int sources = 0; sources < 2; sources++)
        for (size_t i = 0; i < count && goes_on(all, result); i++)
            search_meeting(all, &at, &meetings[i], sources, result);
    all->only_finds = false;
}

/* --- budget ------------------------------------------------------------------------ */

static bool may_spend(ser_decider *shared)
{
    return atomic_load(&shared->further_microseconds) <=
           FREE_MICROSECONDS + atomic_load(&shared->first_microseconds) / 2;
}

static void add_time(atomic_uint_fast64_t *sum, double seconds)
{
    atomic_fetch_add(sum, (uint_fast64_t)(seconds * MICROSECONDS));
}

/* A violation that relies on what is not certain may have a better witness. */
static bool can_improve(const ser_block_result *result)
{
    if (result->verdict == SER_VERDICT_VIOLATION)
        return result->relies_on != 0;
    return (result->verdict == SER_VERDICT_NONE || result->verdict == SER_VERDICT_STATIC) &&
           result->proof != SER_STATIC_FEW_ACCESSES;
}

static bool is_surveyed(ser_decision *all, ser_stage *stage)
{
    const ser_survey_options survey = {.guards = !all->options->no_static, .limits = &all->limits};
    return ser_stage_survey(stage, &survey);
}

/* What the stage says of the block; unknown if its bounds do not let it say anything. */
static void decide_in_stage(ser_decision *all, ser_block_result *result)
{
    if (!ser_decision_asks_for_cycles(all) && !all->options->no_segment)
        search_meetings(all, result);
    if (result->verdict == SER_VERDICT_VIOLATION || all->status != SER_OK || all->meter.reached)
        return;
    ser_block_result exact = {.block = result->block, .events = result->events};
    ser_decision_decide(all, &exact);
    exact.explored += result->explored;
    *result = exact;
}

/* What the stage has found replaces the result where it says more. */
static void take_better(ser_block_result *result, ser_block_result *found, const ser_stage *stage)
{
    bool was_violated = result->verdict == SER_VERDICT_VIOLATION;
    bool is_violated = found->verdict == SER_VERDICT_VIOLATION;
    if (is_violated && (!was_violated || !found->relies_on)) {
        ser_block_result_fini(result);
        *result = *found;
        return;
    }
    if (!was_violated && found->verdict != SER_VERDICT_UNKNOWN)
        result->model = stage->proves;
    ser_block_result_fini(found);
}

void ser_decision_go_further(ser_decision *all, ser_stage *stage, ser_block_result *result,
                             double seconds)
{
    ser_decision further = *all;
    double start = ser_clock_work();
    add_time(&all->shared->first_microseconds, seconds);
    if (!can_improve(result) || !may_spend(all->shared) || !is_surveyed(all, stage))
        return;
    further.stage = stage;
    further.run = stage->run;
    further.most = LARGEST_SEGMENT;
    further.meter = (ser_meter){.limits = &further.limits};
    double end = ser_clock_work() + (seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS);
    if (further.limits.deadline <= 0 || end < further.limits.deadline)
        further.limits.deadline = end;
    ser_block_result found = {.block = result->block, .events = result->events};
    decide_in_stage(&further, &found);
    all->status = further.status;
    take_better(result, &found, stage);
    add_time(&all->shared->further_microseconds, ser_clock_work() - start);
}
