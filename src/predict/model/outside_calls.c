/* SPDX-License-Identifier: MIT */
#include "predict/model/outside_calls.h"

enum { MOST_PAIRS = 1 << 22 }; /* of threads; with more, everything counts as concurrent */

static bool is_mark(const ser_event *event)
{
    return event->op == SER_OP_SKIP &&
           event->flow & (SER_FLOW_RAN | SER_FLOW_LEAVES | SER_FLOW_RETURNS);
}

static void add_mark(ser_outside_calls *calls, uint32_t event)
{
    uint32_t thread = calls->run->events[event].thread;
    ser_event_list *marks = ser_vector_slot(&calls->marks, thread);
    if (marks->count == 0)
        ser_vector_push(&calls->threads, thread);
    ser_vector_push(marks, event);
}

/* Depth of calls outside, by thread. */
static void find_away(ser_outside_calls *calls)
{
    const ser_run *run = calls->run;
    SER_VECTOR(uint32_t) depths = {0};
    calls->away = ser_alloc((size_t)run->count + 1, sizeof *calls->away);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        uint32_t *depth = ser_vector_slot(&depths, event->thread);
        if (is_mark(event) && event->flow & SER_FLOW_RETURNS && *depth > 0)
            --*depth;
        if (is_mark(event) && event->flow & SER_FLOW_LEAVES)
            ++*depth;
        calls->away[i] = *depth > 0;
    }
    ser_vector_free(&depths);
}

void ser_outside_calls_init(ser_outside_calls *calls, const ser_run *run)
{
    *calls = (ser_outside_calls){.run = run};
    for (uint32_t i = 1; i <= run->count; i++)
        if (is_mark(&run->events[i]))
            add_mark(calls, i);
    ser_vector_extend(&calls->marks, run->threads.count);
    calls->join = ser_alloc(run->threads.count + 1, sizeof *calls->join);
    if (calls->threads.count == 0)
        return;
    find_away(calls);
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_joins((ser_op)run->events[i].op) && run->events[i].object < run->threads.count)
            calls->join[run->events[i].object] = i;
}

void ser_outside_calls_fini(ser_outside_calls *calls)
{
    for (size_t i = 0; i < calls->marks.count; i++)
        ser_vector_free(&calls->marks.items[i]);
    ser_vector_free(&calls->marks);
    ser_vector_free(&calls->threads);
    free(calls->away);
    free(calls->join);
}

/* The event of `other` by which it started the thread, or a forebear of it; 0: it did not. */
static uint32_t start_by(const ser_run *run, uint32_t thread, uint32_t other)
{
    uint32_t fork = run->threads.items[thread].fork;
    for (uint32_t i = 0; fork && i < run->threads.count; i++) {
        if (run->events[fork].thread == other)
            return fork;
        fork = run->threads.items[run->events[fork].thread].fork;
    }
    return 0;
}

/* The first mark behind an event. */
static uint32_t mark_after(const ser_event_list *marks, uint32_t event)
{
    size_t low = 0, high = marks->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (marks->items[middle] > event)
            high = middle;
        else
            low = middle + 1;
    }
    return low < marks->count ? marks->items[low] : UINT32_MAX;
}

/* What is outside of `other` from an event on. */
static ser_outside_order order_with(const ser_outside_calls *calls, uint32_t thread, uint32_t other)
{
    const ser_run *run = calls->run;
    const ser_event_list *marks = &calls->marks.items[other];
    uint32_t start = start_by(run, thread, other), join = calls->join[thread];
    if (join && run->events[join].thread != other)
        join = 0;
    bool away_at_start = start && calls->away[start];
    bool away_after = marks->items[marks->count - 1] > start || away_at_start;
    if (!away_after)
        return SER_OUTSIDE_BEFORE;
    bool meanwhile = away_at_start || mark_after(marks, start) < (join ? join : UINT32_MAX);
    return meanwhile ? SER_OUTSIDE_DURING : SER_OUTSIDE_AROUND;
}

ser_outside_order ser_outside_order_of(const ser_outside_calls *calls, uint32_t thread)
{
    ser_outside_order worst = SER_OUTSIDE_BEFORE;
    if (calls->threads.count * calls->run->threads.count > MOST_PAIRS)
        return SER_OUTSIDE_DURING;
    for (size_t i = 0; i < calls->threads.count && worst != SER_OUTSIDE_DURING; i++) {
        uint32_t other = calls->threads.items[i];
        if (other == thread)
            continue;
        ser_outside_order with = order_with(calls, thread, other);
        worst = with > worst ? with : worst;
    }
    return worst;
}
