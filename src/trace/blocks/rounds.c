/* SPDX-License-Identifier: MIT */
/*
 * A thread's places of one call are kept in order until it returns. The first of them to which the
 * thread comes back is the head of the outermost loop; the loop lasts until the first place that
 * was not seen before the head's last visit.
 */
#include "trace/blocks/rounds.h"

#include "base/pairmap.h"

enum { MOST_PLACES = 1 << 20, ENOUGH_TOUCHES = 2 };

void ser_rounds_fini(ser_rounds *rounds)
{
    for (size_t i = 0; i < rounds->threads.count; i++) {
        ser_vector_free(&rounds->threads.items[i].places);
        ser_vector_free(&rounds->threads.items[i].found);
    }
    ser_vector_free(&rounds->threads);
}

static void add_place(ser_round_thread *thread, const ser_event *event, uint32_t site)
{
    ser_round_place place = {.site = site,
                             .flow = event->flow,
                             .reads = ser_op_only_reads((ser_op)event->op),
                             .at = thread->at};
    thread->is_excluded |= thread->places.count == MOST_PLACES;
    if (!thread->is_excluded)
        ser_vector_push(&thread->places, place);
}

/* --- from places to rounds -------------------------------------------------- */

/* Where the places of a call are first and last. */
typedef struct visits {
    ser_pairmap first, last;
} visits;

static visits visits_of(const ser_round_thread *thread)
{
    visits made = {0};
    for (uint32_t i = 0; i < thread->places.count; i++) {
        const ser_round_place *place = &thread->places.items[i];
        (void)ser_pairmap_add(&made.first, place->site, place->reads, i);
        *ser_pairmap_add(&made.last, place->site, place->reads, i) = i;
    }
    return made;
}

static uint32_t visit(const ser_pairmap *when, const ser_round_place *place)
{
    return ser_pairmap_get(when, place->site, place->reads, 0);
}

static bool is_barrier(const ser_round_thread *thread, size_t place)
{
    return thread->places.items[place].site == SER_NO_SITE;
}

/* From one place to before another, without barriers. */
static void add_round(ser_rounds *rounds, ser_round_thread *thread, size_t from, size_t to)
{
    size_t touches = to - from, compounds = 0;
    for (size_t i = from; i < to; i++) {
        const ser_round_place *place = &thread->places.items[i];
        compounds +=
            place->reads && ser_compounds_begin_at(rounds->compounds, place->site, place->flow);
    }
    if (touches < ENOUGH_TOUCHES + 2 * compounds)
        return;
    ser_loop_round round = {thread->places.items[from].at, thread->places.items[to - 1].at};
    ser_vector_push(&thread->found, round);
    rounds->any = true;
}

static void cut_at_barriers(ser_rounds *rounds, ser_round_thread *thread, size_t from, size_t to)
{
    for (size_t at = from; from < to; from = at = at + 1) {
        while (at < to && !is_barrier(thread, at))
            at++;
        add_round(rounds, thread, from, at);
    }
}

/* The rounds of the loop whose head is at a place; returns where the loop is over. */
static size_t add_loop(ser_rounds *rounds, ser_round_thread *thread, const visits *seen,
                       size_t head)
{
    const ser_round_place *start = &thread->places.items[head];
    size_t last = visit(&seen->last, start), from = head, at = head + 1;
    for (; at < thread->places.count; at++) {
        const ser_round_place *here = &thread->places.items[at];
        if (here->site == start->site && here->reads == start->reads) {
            cut_at_barriers(rounds, thread, from, at);
            from = at;
        } else if (at > last && visit(&seen->first, here) > last) {
            break;
        }
    }
    cut_at_barriers(rounds, thread, from, at);
    return at;
}

static void end_call(ser_rounds *rounds, ser_round_thread *thread)
{
    visits seen = {0};
    if (!thread->is_excluded)
        seen = visits_of(thread);
    for (size_t i = 0; !thread->is_excluded && i < thread->places.count;) {
        bool recurs = visit(&seen.last, &thread->places.items[i]) > i;
        i = recurs && !is_barrier(thread, i) ? add_loop(rounds, thread, &seen, i) : i + 1;
    }
    ser_pairmap_fini(&seen.first);
    ser_pairmap_fini(&seen.last);
    thread->places.count = 0;
}

/* --- the passes ------------------------------------------------------------- */

/* Is a call with this event none whose rounds are looked at? */
static bool excludes(const ser_round_thread *thread, const ser_event *event, bool is_shared)
{
    ser_op op = (ser_op)event->op;
    return ser_op_acquires(op) || ser_op_forks(op) || ser_op_joins(op) || ser_op_takes(op) ||
           ser_op_waits(op) || event->flags & SER_EVENT_JOINED ||
           (is_shared && (ser_op_updates(op) || thread->calls > 1 || event->site == SER_NO_SITE));
}

static void see_in_call(ser_round_thread *thread, const ser_event *event, bool is_shared)
{
    thread->is_excluded |= excludes(thread, event, is_shared);
    if (is_shared)
        add_place(thread, event, event->site);
    else if (ser_op_has_in((ser_op)event->op, SER_SIGNALS, SER_SPACE_BARRIER))
        add_place(thread, event, SER_NO_SITE);
}

void ser_rounds_see(ser_rounds *rounds, const ser_event *event, bool is_shared)
{
    if (!ser_op_takes_part((ser_op)event->op))
        return;
    ser_round_thread *thread = ser_vector_slot(&rounds->threads, event->thread);
    thread->at++;
    if (ser_op_calls((ser_op)event->op)) {
        if (thread->calls++ == 0)
            thread->is_excluded = false;
    } else if (ser_op_returns((ser_op)event->op)) {
        if (thread->calls-- == 1)
            end_call(rounds, thread);
    } else if (thread->calls > 0) {
        see_in_call(thread, event, is_shared);
    }
}

void ser_rounds_finish(ser_rounds *rounds)
{
    for (size_t i = 0; i < rounds->threads.count; i++) {
        if (rounds->threads.items[i].calls > 0)
            end_call(rounds, &rounds->threads.items[i]);
        ser_vector_free(&rounds->threads.items[i].places);
    }
    ser_rounds_restart(rounds);
}

void ser_rounds_restart(ser_rounds *rounds)
{
    for (size_t i = 0; i < rounds->threads.count; i++)
        rounds->threads.items[i].at = rounds->threads.items[i].next = 0;
}

void ser_rounds_next(ser_rounds *rounds, const ser_event *event, bool *begins, bool *ends)
{
    ser_round_thread *thread = ser_vector_slot(&rounds->threads, event->thread);
    thread->at++;
    *begins = *ends = false;
    if (thread->next == thread->found.count)
        return;
    const ser_loop_round *round = &thread->found.items[thread->next];
    *begins = round->first == thread->at;
    *ends = round->last == thread->at;
    thread->next += *ends;
}
