/* SPDX-License-Identifier: MIT */
#include "predict/static/outer.h"

/* Must all events of other threads come before the event? */
static bool knows_all(const ser_order *order, uint32_t event)
{
    const ser_run *run = order->run;
    for (uint32_t i = 0; i < run->threads.count; i++)
        if (i != run->events[event].thread &&
            ser_order_known(order, event, i) < run->threads.items[i].events.count)
            return false;
    return true;
}

/* Behind the first step that is ordered after all, for that one may be a read which can happen
 * early, broken. The trace must end with an event of the thread. */
static uint32_t find_after_all(const ser_order *order, uint32_t thread)
{
    uint32_t low = 1, high = (uint32_t)order->run->threads.items[thread].events.count + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (knows_all(order, ser_run_at(order->run, thread, middle)))
            high = middle;
        else
            low = middle + 1;
    }
    if (low > order->run->threads.items[thread].events.count)
        return low + 1;
    uint32_t step = ser_run_at(order->run, thread, low);
    return order->run->eid[ser_run_step_last(order->run, step)] + 1;
}

/* How many events of the thread come before a fork, with the fork itself. */
static uint32_t known_at_fork(const ser_order *order, uint32_t fork, uint32_t thread)
{
    return ser_order_known(order, fork, thread) + (order->run->events[fork].thread == thread);
}

/* Of a thread, if all others that have events were forked. */
static uint32_t find_before_all(const ser_order *order, uint32_t thread)
{
    const ser_run *run = order->run;
    uint32_t all = UINT32_MAX;
    for (uint32_t i = 0; i < run->threads.count && all > 0; i++) {
        const ser_run_thread *other = &run->threads.items[i];
        if (i == thread || !other->events.count)
            continue;
        uint32_t known = known_at_fork(order, other->fork, thread);
        all = known < all ? known : all;
    }
    return all;
}

/* Only what one thread does can come before all of the others: the one without a fork. A
 * thread that has no fork waits for no thread. */
static void set_before_all(ser_outer *outer, const ser_order *order)
{
    const ser_run *run = order->run;
    uint32_t unforked = 0, first = 0;
    for (uint32_t i = 0; i < run->threads.count; i++) {
        const ser_run_thread *thread = &run->threads.items[i];
        if (!thread->events.count || thread->fork)
            continue;
        unforked++;
        first = i;
    }
    for (uint32_t i = 0; i < run->threads.count; i++) {
        bool waits = unforked > 1 || (unforked == 1 && i != first);
        outer->before_all[i] = waits ? 0 : find_before_all(order, i);
    }
}

/* Only the last event of the trace, and what its thread does before it, can come after all
 * events of the others. */
static void set_after_all(ser_outer *outer, const ser_order *order)
{
    const ser_run *run = order->run;
    uint32_t last = run->count;
    while (last && !run->eid[last])
        last--;
    for (uint32_t i = 0; i < run->threads.count; i++)
        outer->after_all[i] = last && run->events[last].thread == i
                                  ? find_after_all(order, i)
                                  : (uint32_t)run->threads.items[i].events.count + 2;
}

ser_outer ser_outer_of(const ser_order *order)
{
    size_t threads = order->run->threads.count;
    ser_outer outer = {ser_alloc(threads, sizeof(uint32_t)), ser_alloc(threads, sizeof(uint32_t))};
    set_before_all(&outer, order);
    set_after_all(&outer, order);
    return outer;
}

/* --- by forks and joins --------------------------------------------------------------------- */

static bool has_other_root(const ser_run *run, uint32_t first)
{
    for (uint32_t i = 0; i < run->threads.count; i++)
        if (i != first && run->threads.items[i].events.count && !run->threads.items[i].fork)
            return true;
    return false;
}

/* Of each thread: the event that joins it. */
static uint32_t *find_joins(const ser_run *run)
{
    uint32_t *joins = ser_alloc(run->threads.count, sizeof *joins);
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_joins((ser_op)run->events[i].op))
            joins[run->events[i].object] = i;
    return joins;
}

/* Is it joined by the first thread, or by one that is? */
static bool is_joined_by(const ser_run *run, const uint32_t *joins, uint32_t thread, uint32_t first)
{
    for (size_t i = 0; i < run->threads.count && thread != first; i++) {
        if (!joins[thread])
            return false;
        thread = run->events[joins[thread]].thread;
    }
    return thread == first;
}

static uint32_t first_fork(const ser_run *run, uint32_t thread)
{
    const ser_event_list *own = &run->threads.items[thread].events;
    uint32_t eid = 0;
    while (eid < own->count && !ser_op_forks((ser_op)run->events[own->items[eid]].op))
        eid++;
    return eid;
}

/* Behind the first thread's last join; behind everything if a thread is not joined. */
static uint32_t behind_joins(const ser_run *run, uint32_t first)
{
    uint32_t behind = 1, *joins = find_joins(run);
    for (uint32_t i = 0; i < run->threads.count && behind; i++) {
        if (i == first || !run->threads.items[i].events.count)
            continue;
        if (!is_joined_by(run, joins, i, first))
            behind = 0;
        else if (run->events[joins[i]].thread == first && run->eid[joins[i]] >= behind)
            behind = run->eid[joins[i]] + 1;
    }
    free(joins);
    return behind ? behind : (uint32_t)run->threads.items[first].events.count + 2;
}

/* All other threads have forks, and the first fork is that of the first thread: they are its
 * children's children. */
ser_outer ser_outer_by_forks(const ser_run *run)
{
    size_t threads = run->threads.count;
    ser_outer outer = {ser_alloc(threads, sizeof(uint32_t)), ser_alloc(threads, sizeof(uint32_t))};
    for (uint32_t i = 0; i < threads; i++)
        outer.after_all[i] = (uint32_t)run->threads.items[i].events.count + 2;
    uint32_t start = 1;
    while (start <= run->count && !run->eid[start])
        start++;
    if (start > run->count)
        return outer;
    uint32_t first = run->events[start].thread;
    if (!run->threads.items[first].fork && !has_other_root(run, first)) {
        outer.before_all[first] = first_fork(run, first);
        outer.after_all[first] = behind_joins(run, first);
    }
    return outer;
}

bool ser_outer_holds_block(const ser_outer *outer, const ser_run *run, uint32_t block)
{
    const ser_run_block *own = &run->blocks.items[block];
    uint32_t last =
        own->end ? run->eid[own->end] : (uint32_t)run->threads.items[own->thread].events.count;
    return ser_outer_has(outer, own->thread, run->eid[own->begin], last);
}

void ser_outer_fini(ser_outer *outer)
{
    free(outer->before_all);
    free(outer->after_all);
}
