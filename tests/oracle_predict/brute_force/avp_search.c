/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search over states, each entered once. Besides where the threads stand
 * and what the variables hold, a state must say all that later events can ask about
 * the order of the earlier ones.
 *
 * Accesses form groups: the block is group 0; every other step, for serializability
 * every other transaction, is one more. A violation is a way from group 0 back to it.
 * An access that happens adds edges to its own group only, from all groups that hold
 * an executed access before it in its thread or in conflict with it; which ones hold
 * one is known from where the threads stand. So it is enough to know which groups
 * reach which (`reach`). For the path criterion, where only the block can be entered
 * after it was left, it is enough to know which ones group 0 reaches.
 */
#include "avp_search.h"

#include <stdlib.h>
#include <string.h>

#include "state_set.h"

enum { MOST_GROUPS = 32 };

typedef struct position {
    avp_state state;
    uint32_t reach[MOST_GROUPS]; /* bit sets of groups; for the path criterion only reach[0] */
} position;

typedef struct search {
    const avp_world *world;
    bool serializability;
    size_t group[AVP_MOST_EVENTS + 1]; /* of accesses */
    size_t groups;
    size_t last;    /* access of the block */
    size_t highest; /* event that may happen */
    state_set seen;
    size_t most;
    avp_order order;
} search;

static void form_groups(search *s, size_t block)
{
    size_t by_first[AVP_MOST_EVENTS + 1] = {0};
    s->groups = 1;
    for (size_t event = 1; event <= s->world->facts.count; event++) {
        size_t transaction = s->world->facts.transaction[event];
        if (transaction == block && avp_is_access(s->world, event))
            s->last = event;
        if (!transaction || !avp_is_access(s->world, event) || transaction == block)
            continue;
        size_t first = s->serializability ? transaction : s->world->step[event];
        if (!by_first[first])
            by_first[first] = s->groups++;
        s->group[event] = by_first[first];
    }
}

/* Is there an edge from an executed access to one that has just happened? */
static bool leads_to(const search *s, const avp_state *state, size_t from, size_t to)
{
    const ser_event *a = event_at(&s->world->facts, from);
    const ser_event *b = event_at(&s->world->facts, to);
    if (a->thread == b->thread)
        return true;
    return a->object == b->object &&
           (avp_wrote(s->world, state, from) || avp_wrote(s->world, state, to));
}

static void add_edge(const search *s, position *p, size_t from, size_t to)
{
    uint32_t gained = p->reach[to] | UINT32_C(1) << to;
    for (size_t group = 0; group < (s->serializability ? s->groups : 1); group++)
        if (group == from || (p->reach[group] & UINT32_C(1) << from))
            p->reach[group] |= gained;
}

static void add_edges(const search *s, position *p, size_t access)
{
    size_t to = s->group[access];
    for (size_t from = 1; from <= s->world->facts.count; from++) {
        if (from == access || !takes_part(&s->world->facts, from) ||
            !avp_is_access(s->world, from) || !avp_executed(s->world, &p->state, from))
            continue;
        if (s->group[from] != to && leads_to(s, &p->state, from, access))
            add_edge(s, p, s->group[from], to);
    }
}

/* Enters the position into the set; false if it was there. */
static bool is_new(search *s, const position *p)
{
    uint8_t key[sizeof *p];
    size_t length = 0;
    for (size_t thread = 0; thread < s->world->threads; thread++) {
        key[length++] = (uint8_t)(p->state.at[thread] << 1 | p->state.stopped[thread]);
        key[length++] = p->state.limit[thread];
        key[length++] = (uint8_t)(p->state.changed[thread] << 1 | p->state.failed[thread]);
    }
    key[length++] = (uint8_t)(p->state.inside << 3 | p->state.ending << 2 | p->state.spoiled << 1 |
                              p->state.breaking);
    key[length++] = p->state.inside && p->state.was_changed;
    for (size_t variable = 0; variable < s->world->variables; variable++)
        key[length++] = (uint8_t)(p->state.last_write[variable] << 1 | p->state.dirty[variable]);
    for (size_t variable = 0; variable < s->world->variables && s->world->careful; variable++)
        key[length++] = p->state.doubtful[variable];
    size_t rows = s->serializability ? s->groups : 1;
    memcpy(key + length, p->reach, rows * sizeof *p->reach);
    return state_set_add(&s->seen, key, length + rows * sizeof *p->reach);
}

/* A path comes back to the block at one of its accesses. */
static bool is_over(const search *s, const avp_state *state)
{
    return !s->serializability && (!s->last || avp_executed(s->world, state, s->last)) &&
           !state->inside;
}

static avp_answer explore(search *s, const position *p)
{
    if ((p->reach[0] & 1) && !p->state.inside)
        return AVP_VIOLATION;
    if (is_over(s, &p->state) || !is_new(s, p))
        return AVP_NONE;
    if (s->seen.count > s->most)
        return AVP_TOO_LARGE;
    for (size_t thread = 0; thread < s->world->threads; thread++) {
        size_t event = avp_next(s->world, &p->state, thread);
        if (!event || event > s->highest)
            continue;
        position next = *p;
        avp_step(s->world, &next.state, event);
        if (avp_is_access(s->world, event))
            add_edges(s, &next, event);
        s->order.events[s->order.count++] = (uint32_t)event;
        avp_answer answer = explore(s, &next);
        if (answer != AVP_NONE)
            return answer;
        s->order.count--;
    }
    return AVP_NONE;
}

avp_answer avp_search(const avp_world *world, size_t block, bool serializability, size_t most,
                      avp_order *witness)
{
    search s = {.world = world, .serializability = serializability, .most = most};
    s.highest = world->facts.count;
    form_groups(&s, block);
    if (s.groups > MOST_GROUPS)
        return AVP_TOO_LARGE;
    state_set_init(&s.seen);
    position start = {0};
    avp_answer answer = explore(&s, &start);
    state_set_fini(&s.seen);
    *witness = s.order;
    return answer;
}

/* Those that take part. */
static void observe_until(const search *s, position *p, size_t end)
{
    for (size_t event = 1; event < end; event++) {
        if (avp_next(s->world, &p->state, event_at(&s->world->facts, event)->thread) != event)
            continue;
        avp_step(s->world, &p->state, event);
        if (avp_is_access(s->world, event))
            add_edges(s, p, event);
    }
}

avp_answer avp_search_window(const avp_world *world, size_t block, size_t first, size_t last,
                             size_t most)
{
    search s = {.world = world, .most = most, .highest = last};
    form_groups(&s, block);
    if (s.groups > MOST_GROUPS)
        return AVP_TOO_LARGE;
    state_set_init(&s.seen);
    position start = {0};
    observe_until(&s, &start, first);
    avp_answer answer = explore(&s, &start);
    state_set_fini(&s.seen);
    return answer;
}
