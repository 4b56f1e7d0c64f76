/* SPDX-License-Identifier: MIT */
/*
 * An engine may name a transaction together with later events outside blocks of
 * the same thread (engine.h). Such a group is left from any of its events, but
 * entered only at its head, the transaction it starts with; then the group's
 * events lie on a cycle of the definition's transactions, too, along program
 * order.
 */
#include "cycle_check.h"

static bool is_outside_blocks(const facts *f, size_t number)
{
    return f->transaction[number] == number && f->close[number] == number &&
           !(event_at(f, number)->flags & SER_EVENT_OPENS);
}

static bool is_in_group(const facts *f, size_t number, const ser_transaction *group)
{
    return number >= group->first && number <= group->last && takes_part(f, number) &&
           event_at(f, number)->thread == group->thread;
}

static bool is_group(const facts *f, const ser_transaction *group, uint64_t last)
{
    if (group->first == 0 || group->first > group->last || group->last > last)
        return false;
    if (!is_in_group(f, group->first, group) || !is_in_group(f, group->last, group) ||
        f->transaction[group->first] != group->first)
        return false;
    for (size_t i = group->first; i <= group->last; i++)
        if (is_in_group(f, i, group) && f->transaction[i] != group->first &&
            !is_outside_blocks(f, i))
            return false;
    return true;
}

/* Does a conflict lead from the group into the head of the next one? */
static bool leads_to(const definition *d, const ser_transaction *from, const ser_transaction *to,
                     uint64_t last)
{
    for (size_t i = from->first; i <= from->last; i++)
        for (size_t j = i + 1; j <= last; j++)
            if (is_in_group(&d->facts, i, from) && d->facts.transaction[j] == to->first &&
                conflict_between(d, i, j))
                return true;
    return false;
}

static bool is_repeated(const ser_violation *violation, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (violation->cycle[i].first == violation->cycle[index].first)
            return true;
    return false;
}

const char *find_flaw_in_cycle(const definition *d, const ser_violation *violation)
{
    const ser_transaction *cycle = violation->cycle;
    size_t length = violation->cycle_length;
    if (length < 2)
        return "its cycle has less than two transactions";
    if (cycle[0].first != violation->block || cycle[0].thread != violation->thread)
        return "its cycle does not start with the violated block";
    for (size_t i = 0; i < length; i++) {
        if (!is_group(&d->facts, &cycle[i], violation->event))
            return "a part of its cycle is no transaction";
        if (is_repeated(violation, i))
            return "its cycle visits a transaction twice";
    }
    for (size_t i = 0; i < length; i++)
        if (!leads_to(d, &cycle[i], &cycle[(i + 1) % length], violation->event))
            return "two neighbours on its cycle do not conflict";
    return NULL;
}
