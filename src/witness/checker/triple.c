/* SPDX-License-Identifier: MIT */
#include "witness/checker/triple.h"

/* The access that an event was, at or after a place in what was executed; NULL: it did not happen
 * there. */
static const ser_executed_access *find(const ser_execution *run, uint32_t event, size_t *place)
{
    for (; *place < run->accesses.count; ++*place)
        if (run->accesses.items[*place].event == event)
            return &run->accesses.items[*place];
    return NULL;
}

static const ser_event *event_of(const ser_execution *run, const ser_executed_access *access)
{
    return &run->observed->events[access->event];
}

bool ser_checker_triple_holds(const ser_execution *run, uint32_t block, const uint32_t triple[3],
                              const char **why)
{
    size_t place = 0;
    const ser_executed_access *from = find(run, triple[0], &place);
    const ser_executed_access *remote = find(run, triple[1], &place);
    const ser_executed_access *to = find(run, triple[2], &place);
    *why = NULL;
    if (!from || !remote || !to)
        *why = "the three accesses did not happen in that order";
    else if (from->transaction != block || to->transaction != block)
        *why = "an access is not in the block";
    else if (event_of(run, from)->thread == event_of(run, remote)->thread)
        *why = "the access between is of the block's thread";
    else if (event_of(run, from)->object != event_of(run, remote)->object ||
             event_of(run, to)->object != event_of(run, remote)->object)
        *why = "the accesses are of different variables";
    else if (!remote->writes && !(from->writes && to->writes))
        *why = "the three accesses can be put in a serial order";
    return !*why;
}
