/* SPDX-License-Identifier: MIT */
#include "session/run/polling.h"

enum { A_LOOP = 3 }; /* visits of a place */

/* For a condition, or at a barrier. */
static bool lets_others_in(ser_op op)
{
    return ser_op_waits(op) || op == SER_OP_ARRIVE;
}

static bool waits_between(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i && i < to; i = ser_run_next(run, i))
        if (lets_others_in((ser_op)run->events[i].op))
            return true;
    return false;
}

static bool is_plain_write(const ser_event *event)
{
    return !ser_op_reads((ser_op)event->op);
}

/* How often the block accesses the same variable at the same place. */
static unsigned count_visits(const ser_run *run, uint32_t begin, const ser_event *access)
{
    unsigned visits = 0;
    uint32_t block = run->block_of[begin];
    for (uint32_t i = begin; i && run->block_of[i] == block; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        visits += ser_op_is_access((ser_op)event->op) && event->object == access->object &&
                  event->site == access->site;
    }
    return visits;
}

/* A read where read-modify-writes are made, too, is a compare-exchange that failed. */
static bool is_failed_exchange(const ser_run *run, const ser_event *access)
{
    if (access->op != SER_OP_READ || access->site == SER_NO_SITE)
        return false;
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->events[i].op == SER_OP_RMW && run->events[i].site == access->site)
            return true;
    return false;
}

bool ser_is_polling(const ser_run *run, uint32_t begin, const ser_witness_facts *facts)
{
    if (ser_op_begins((ser_op)run->events[begin].op) || facts->path.count < 2)
        return false;
    uint32_t from = facts->path.items[0], to = facts->path.items[facts->path.count - 1];
    const ser_event *first = &run->events[from], *last = &run->events[to];
    if (waits_between(run, from, to))
        return true;
    if (first->object != last->object || is_plain_write(first) || is_plain_write(last))
        return false;
    return (first->site == last->site && count_visits(run, begin, first) >= A_LOOP) ||
           is_failed_exchange(run, first) || is_failed_exchange(run, last);
}
