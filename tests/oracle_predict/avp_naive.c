/* SPDX-License-Identifier: MIT */
/*
 * Every interleaving, one after another, without any memory. For ten events or so.
 */
#include <string.h>

#include "avp_run.h"
#include "sample.h"

typedef struct question {
    size_t block;
    bool serializability;
} question;

static bool some_run_violates(avp_run *run, const question *q)
{
    if (avp_run_violation(run, q->block, q->serializability))
        return true;
    for (size_t thread = 0; thread < run->world->threads; thread++) {
        avp_state before = run->state;
        size_t event = avp_next(run->world, &run->state, thread);
        if (!event || !avp_run_step(run, (uint32_t)event))
            continue;
        if (some_run_violates(run, q))
            return true;
        avp_run_undo(run, &before);
    }
    return false;
}

avp_answer avp_search_naive(const avp_world *world, size_t block, bool serializability,
                            avp_order *witness)
{
    avp_run run = {.world = world};
    question q = {block, serializability};
    bool violates = some_run_violates(&run, &q);
    memcpy(witness->events, run.order, run.count * sizeof *run.order);
    witness->count = run.count;
    return violates ? AVP_VIOLATION : AVP_NONE;
}

enum { MOST_EVENTS = 9 };

static bool answers_differ(const sample *s, size_t index, int criterion, difference *found)
{
    avp_order witness;
    avp_answer answer =
        avp_search_naive(&s->world, s->world.blocks[index].begin, criterion, &witness);
    if (answer == s->blocks[index].answer[criterion])
        return false;
    return differ(found, "block of event %zu, %s: %s without memory\n",
                  s->world.blocks[index].begin, criterion_names[criterion],
                  answer == AVP_VIOLATION ? "a violation" : "none");
}

static bool fail_naive(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (s->events.count > MOST_EVENTS)
        return false;
    for (size_t i = 0; i < s->world.block_count; i++)
        for (int criterion = 0; criterion < CRITERIA; criterion++)
            if (answers_differ(s, i, criterion, found))
                return true;
    return false;
}

const trial trial_naive = {"naive", fail_naive, NULL, false};
