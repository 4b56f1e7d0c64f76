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

/* Would the two, in the other order, read or leave behind something else? Where values are not
 * known they might. */
static bool is_dependent(const ser_execution *run, const ser_executed_access *first,
                         const ser_executed_access *second)
{
    bool first_reads = ser_checked_op(event_of(run, first)) != SER_OP_WRITE;
    bool second_reads = ser_checked_op(event_of(run, second)) != SER_OP_WRITE;
    if (first_reads && second->writes &&
        !(first->knows_before && second->knows_after && first->before == second->after))
        return true;
    if (first->writes && second_reads &&
        !(first->knows_before && first->knows_after && first->before == first->after))
        return true;
    return first->writes && second->writes &&
           !(first->knows_after && second->knows_after && first->after == second->after);
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
    else if (run->code && (!is_dependent(run, from, remote) || !is_dependent(run, remote, to)))
        *why = "two of them are independent, by what they read and write";
    return !*why;
}
