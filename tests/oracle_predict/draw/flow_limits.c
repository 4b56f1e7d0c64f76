/* SPDX-License-Identifier: MIT */
/*
 * A third statement of the limits of the model data, after predict/model/data_limits.c and
 * witness/checker/flows.c: for each read, which step of its thread is the first that comes behind a
 * place where a dirty value may be read unseen? As slow as it likes.
 */
#include "draw_values.h"

#include "operations.h"

typedef struct place {
    const event_list *events;
    size_t read;  /* the last event of the step that has changed */
    size_t event; /* of the same thread, behind it or the same */
} place;

static const ser_event *at(const event_list *events, size_t i)
{
    return &events->items[i];
}

static bool is_skip(const ser_event *event)
{
    return event->op == SER_OP_SKIP;
}

static bool writes(const ser_event *event)
{
    ser_op op = plain_op(event->op);
    return op == SER_OP_WRITE || op == SER_OP_RMW;
}

static bool is_mark(const ser_event *event)
{
    return is_skip(event) && event->flow & (SER_FLOW_RAN | SER_FLOW_LEAVES | SER_FLOW_RETURNS);
}

static bool counts_elided(const ser_event *event)
{
    return (is_skip(event) || event->op == SER_OP_CALL || event->op == SER_OP_RETURN) &&
           event->flags & SER_EVENT_HAS_VALUE && event->value;
}

static bool goes_on(const event_list *events, size_t i)
{
    return at(events, i)->flags & SER_EVENT_JOINED;
}

/* Is the thread outside just after its event? */
static bool is_away(const event_list *events, size_t event)
{
    int depth = 0;
    for (size_t i = 0; i <= event; i++) {
        if (at(events, i)->thread != at(events, event)->thread || !is_mark(at(events, i)))
            continue;
        depth -= at(events, i)->flow == SER_FLOW_RETURNS && depth > 0;
        depth += at(events, i)->flow == SER_FLOW_LEAVES;
    }
    return depth > 0;
}

static bool elides(const event_list *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (counts_elided(at(events, i)))
            return true;
    return false;
}

/* Must the event happen before the thread starts? */
static bool is_before(const event_list *events, size_t event, uint32_t thread)
{
    for (size_t i = 0; i < events->count; i++)
        if (at(events, i)->op == SER_OP_FORK && at(events, i)->object == thread)
            return (at(events, i)->thread == at(events, event)->thread && event < i) ||
                   is_before(events, event, at(events, i)->thread);
    return false;
}

/* Has the event's thread joined that one before it? */
static bool is_after(const event_list *events, size_t event, uint32_t thread)
{
    bool after = false;
    for (size_t i = 0; i < events->count; i++)
        if (at(events, i)->op == SER_OP_JOIN && at(events, i)->object == thread)
            after = at(events, i)->thread == at(events, event)->thread && i < event;
    return after;
}

/* Does another thread run code outside, before or after it has joined this one? */
static bool runs_outside(const event_list *events, uint32_t thread, bool joined)
{
    for (size_t i = 0; i < events->count; i++)
        if (at(events, i)->thread != thread && (is_mark(at(events, i)) || is_away(events, i)) &&
            !is_before(events, i, thread) && is_after(events, i, thread) == joined)
            return true;
    return false;
}

/* Did the thread write between the read, or with it, and the place? */
static bool has_written(const place *here)
{
    for (size_t i = here->read; i < here->event; i++)
        if (at(here->events, i)->thread == at(here->events, here->event)->thread &&
            writes(at(here->events, i)))
            return true;
    return false;
}

/* May a dirty value have been read unseen between the event and the thread's event before it? */
static bool is_behind_unseen_read(const place *here)
{
    const ser_event *event = at(here->events, here->event);
    if (here->event > here->read && counts_elided(event))
        return true;
    if (here->event > here->read && is_mark(event) && has_written(here))
        return true;
    for (size_t i = here->event; i-- > here->read;)
        if (at(here->events, i)->thread == event->thread)
            return is_away(here->events, i) && has_written(here);
    return false;
}

static bool must_not_happen(const place *here)
{
    const ser_event *event = at(here->events, here->event);
    bool meets = event->op == SER_OP_FORK || event->op == SER_OP_ARRIVE;
    return (meets && elides(here->events)) ||
           (writes(event) && runs_outside(here->events, event->thread, false));
}

static uint32_t find_limit(const event_list *events, size_t last)
{
    uint32_t thread = at(events, last)->thread;
    bool unseen = false;
    size_t behind = last;
    if (writes(at(events, last)) && runs_outside(events, thread, false))
        return SER_LIMIT_NEXT;
    for (size_t i = last + 1; i < events->count; i++) {
        place here = {events, last, i};
        if (at(events, i)->thread != thread)
            continue;
        behind = i;
        unseen = unseen || is_behind_unseen_read(&here);
        if (!is_skip(at(events, i)) && !goes_on(events, i - 1) &&
            (unseen || must_not_happen(&here)))
            return (uint32_t)i + 1;
    }
    bool wrote = has_written(&(place){events, last, behind}) || writes(at(events, behind));
    unseen = unseen || (is_away(events, behind) && wrote);
    bool ends = unseen || elides(events) || runs_outside(events, thread, true) ||
                runs_outside(events, thread, false);
    return ends ? SER_LIMIT_END : SER_LIMIT_NONE;
}

static bool all_modify(const event_list *events, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        if (!(at(events, i)->flow & SER_FLOW_MODIFIES))
            return false;
    return true;
}

/* Is it a variable of one thread, with nothing but fixed values? */
static bool is_own(const event_list *events, const ser_event *read)
{
    bool own = true;
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = at(events, i);
        if (!is_access(event) || event->object != read->object)
            continue;
        bool fixed = only_writes(event) && event->flow & SER_FLOW_FIXED;
        own = own && event->thread == read->thread && (only_reads(event) || fixed);
    }
    return own;
}

void limit_reads_by_flow(ser_reads *reads, const event_list *events)
{
    for (size_t first = 0, last; first < events->count; first = last + 1) {
        for (last = first; goes_on(events, last) && last + 1 < events->count;)
            last++;
        const ser_event *event = at(events, first);
        bool is_update = reads_and_writes(event);
        if ((!only_reads(event) && !is_update) || (is_update && !all_modify(events, first, last)))
            continue;
        for (size_t i = first; i <= last; i++) {
            reads->writes_anyway.items[i + 1] =
                is_update && !runs_outside(events, event->thread, false);
            if (at(events, i)->flow & SER_FLOW_DATA && !is_torn_read(events, i))
                reads->rules.items[i + 1].limit = find_limit(events, last);
            if (is_own(events, at(events, i)) && !is_torn_read(events, i))
                reads->rules.items[i + 1].limit = SER_LIMIT_NONE;
        }
    }
}
