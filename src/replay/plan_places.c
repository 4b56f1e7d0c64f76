/* SPDX-License-Identifier: MIT */
/*
 * Turns by place. A turn ends with an operation at some place, which comes k times in the recorded
 * turn: so it ends when the thread has come there k times. Elided operations are seen in a replay,
 * and might be at the same place: a turn that has some is counted from the last of them on.
 */
#include "contract/place.h"
#include "replay/plan.h"

enum {
    STEPS_AT_LEAST = 10000, /* of a turn, */
    STEPS_TIMES = 4,        /* and so many times as many as were recorded, before it is lost */
    WAKES_AT_LEAST = 20,    /* the same for waits */
};

typedef struct placing {
    const ser_plan *plan;
    SER_VECTOR(uint64_t) places; /* by site; 0: not known yet */
    SER_VECTOR(size_t) next;     /* by thread: the first of its starts that no turn has yet */
    SER_VECTOR(uint64_t) made;   /* by thread: operations of its turns so far */
} placing;

static uint64_t place_of(placing *work, uint32_t event)
{
    const ser_run *run = work->plan->run;
    const ser_event *at = &run->events[event];
    if (at->site == SER_NO_SITE)
        return ser_place_with(0, at->op);
    uint64_t *known = ser_vector_slot(&work->places, at->site);
    if (!*known)
        *known = ser_place_of_text(ser_symbols_whole_location(run->symbols, at->site).text);
    return ser_place_with(*known, at->op);
}

/* Behind the last of the thread's starts that belongs to the turn. */
static size_t find_end(const placing *work, const ser_turn *turn, size_t first)
{
    const ser_event_list *starts = &work->plan->threads.items[turn->thread].starts;
    size_t end = first;
    while (end < starts->count && work->plan->numbers[starts->items[end]] <= turn->until)
        end++;
    return end;
}

static uint32_t clip(uint64_t number)
{
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void set_bounds(const placing *work, ser_turn *turn, size_t first, size_t end)
{
    const ser_plan *plan = work->plan;
    const ser_event_list *starts = &plan->threads.items[turn->thread].starts;
    uint64_t waits = 0;
    for (size_t i = first; i < end; i++)
        waits +=
            ser_op_has((ser_op)plan->run->events[starts->items[i]].op, SER_AWAITS | SER_ACQUIRES);
    turn->most =
        clip((turn->until - work->made.items[turn->thread]) * STEPS_TIMES + STEPS_AT_LEAST);
    turn->wakes = clip(waits + WAKES_AT_LEAST);
}

/* The place of the last start, and how often it comes from the last gap on. */
static void set_place(placing *work, ser_turn *turn, size_t first, size_t end)
{
    const uint64_t *numbers = work->plan->numbers;
    const uint32_t *starts = work->plan->threads.items[turn->thread].starts.items;
    uint64_t before = work->made.items[turn->thread];
    turn->place = place_of(work, starts[end - 1]);
    turn->after = 0;
    turn->times = 0;
    for (size_t i = first; i < end; before = numbers[starts[i++]]) {
        if (numbers[starts[i]] > before + 1) {
            turn->after = numbers[starts[i]] - 1;
            turn->times = 0;
        }
        turn->times += place_of(work, starts[i]) == turn->place;
    }
}

static void place_turn(placing *work, ser_turn *turn)
{
    size_t *next = ser_vector_slot(&work->next, turn->thread);
    uint64_t *made = ser_vector_slot(&work->made, turn->thread);
    size_t first = *next, end = find_end(work, turn, first);
    set_bounds(work, turn, first, end);
    if (end > first)
        set_place(work, turn, first, end);
    *next = end;
    *made = turn->until;
}

void ser_plan_by_place(ser_plan *plan)
{
    placing work = {.plan = plan};
    for (size_t i = 0; i < plan->turns.count; i++)
        place_turn(&work, &plan->turns.items[i]);
    ser_vector_free(&work.places);
    ser_vector_free(&work.next);
    ser_vector_free(&work.made);
}
