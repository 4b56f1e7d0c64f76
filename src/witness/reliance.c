/* SPDX-License-Identifier: MIT */
/*
 * The order is followed from its start, with the variables of which it is not known what they hold.
 * There are few: each is that of a read of the list `broken`.
 */
#include "witness/reliance.h"

/* The event may have written the variable, though the witness says that it did not; or the thread
 * has read that. */
typedef struct doubt {
    uint32_t object, event;
} doubt;

typedef SER_VECTOR(doubt) doubt_list;

typedef struct reliance {
    const ser_run *run;
    const ser_witness_facts *facts;
    size_t broken; /* how many of the facts' list have happened */
    doubt_list variables, threads;
} reliance;

static doubt *find(const doubt_list *list, uint32_t object)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].object == object)
            return &list->items[i];
    return NULL;
}

static void add(doubt_list *list, uint32_t object, uint32_t event)
{
    const doubt fresh = {object, event};
    if (!find(list, object))
        ser_vector_push(list, fresh);
}

static void drop(doubt_list *list, uint32_t object)
{
    doubt *found = find(list, object);
    if (found)
        *found = list->items[--list->count];
}

/* The list has them in the order in which they happen. */
static bool is_next_broken(reliance *at, uint32_t event)
{
    const ser_witness_facts *facts = at->facts;
    bool is_so = at->broken < facts->broken.count && facts->broken.items[at->broken] == event;
    at->broken += is_so;
    return is_so;
}

/* Could it have written when it read something else than in the trace? */
static bool may_write(const ser_event *event)
{
    bool may_exchange = (event->flow & SER_FLOW_ATOMIC) && !(event->flow & SER_FLOW_DATA);
    return ser_op_updates((ser_op)event->op) ||
           (ser_op_only_reads((ser_op)event->op) && may_exchange);
}

static void follow_access(reliance *at, uint32_t number)
{
    const ser_event *event = &at->run->events[number];
    bool reads = ser_op_reads((ser_op)event->op), broken = is_next_broken(at, number);
    const doubt *held = find(&at->variables, event->object);
    if (reads && !broken && held)
        add(&at->threads, event->thread, held->event);
    if (broken && may_write(event))
        add(&at->variables, event->object, number);
    else if (!reads)
        drop(&at->variables, event->object);
}

uint32_t ser_witness_relies_on(const ser_run *run, const uint32_t *order, size_t count,
                               const ser_witness_facts *facts)
{
    reliance at = {.run = run, .facts = facts};
    const doubt *found = NULL;
    uint32_t answer = 0;
    for (size_t i = 0; i < count && !found; i++) {
        const ser_event *event = &run->events[order[i]];
        bool begins = order[i] == 1 || !(run->events[order[i] - 1].flags & SER_EVENT_JOINED);
        found = begins ? find(&at.threads, event->thread) : NULL;
        if (found)
            answer = found->event;
        else if (ser_op_is_access((ser_op)event->op))
            follow_access(&at, order[i]);
        else
            is_next_broken(&at, order[i]);
    }
    ser_vector_free(&at.variables);
    ser_vector_free(&at.threads);
    return answer;
}
