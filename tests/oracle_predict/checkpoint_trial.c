/* SPDX-License-Identifier: MIT */
/*
 * The checker that begins at a checkpoint (witness/from_checkpoint.h) beside the definition over
 * the whole trace. Both get the same random orders, right and wrong ones: everything before the
 * checkpoint as it was observed, but for some waits that are pending there, then any steps.
 */
#include <string.h>

#include "avp_run.h"
#include "random.h"
#include "sample.h"
#include "stream/ring.h"
#include "witness/from_checkpoint.h"

enum { WINDOWS_A_TRACE = 12 };

typedef struct start {
    const sample *s;
    uint32_t first, last; /* the window */
    ser_checkpoint checkpoint;
    uint64_t later[AVP_MOST_THREADS];
    size_t later_count;
    avp_run past;   /* everything before the window */
    bool can_begin; /* the past can happen without what comes later */
} start;

/* What is done with freed memory is no business of windows. */
static bool uses_freed(const sample *s)
{
    bool freed[AVP_MOST_VARIABLES] = {0};
    for (size_t i = 0; i < s->events.count; i++) {
        const ser_event *event = &s->events.items[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        if (freed[event->object])
            return true;
        freed[event->object] = ser_op_frees((ser_op)event->op);
    }
    return false;
}

static void choose_window(start *from, random_source *random)
{
    const event_list *events = &from->s->events;
    ser_event_ring ring = {0};
    ser_event_ring_init(&ring);
    for (size_t i = 0; i < events->count; i++)
        ser_event_ring_add(&ring, &events->items[i]);
    from->first = 1 + random_below(random, (uint32_t)events->count);
    while (from->first > 1 && (events->items[from->first - 2].flags & SER_EVENT_JOINED))
        from->first--;
    from->last = from->first + random_below(random, (uint32_t)events->count + 1 - from->first);
    while (from->last < events->count && !ser_event_ring_is_clear(&ring, from->last + 1))
        from->last++;
    ser_event_ring_fini(&ring);
}

static bool is_later(const start *from, uint64_t number)
{
    for (size_t i = 0; i < from->later_count; i++)
        if (from->later[i] == number)
            return true;
    return false;
}

/* Some waits come later, though not those that end a wait: the checkpoint does not know whether
 * that matters. */
static void choose_later(start *from, random_source *random)
{
    const ser_past_events *waits = &from->checkpoint.waits;
    for (size_t i = 0; i < waits->count; i++)
        if (!waits->items[i].ends_wait && random_chance(random, 60))
            from->later[from->later_count++] = waits->items[i].number;
}

static void run_past(start *from)
{
    from->past = (avp_run){.world = &from->s->world};
    from->can_begin = true;
    for (uint32_t i = 1; i < from->first; i++) {
        bool takes_part = ser_op_takes_part((ser_op)from->s->events.items[i - 1].op);
        if (takes_part && !is_later(from, i) && !avp_run_step(&from->past, i))
            from->can_begin = false;
    }
}

/* Steps of the window, or of those that come later. */
static void draw_steps(const start *from, random_source *random, avp_order *order)
{
    const avp_world *world = &from->s->world;
    avp_run run = from->past;
    order->count = 0;
    for (size_t tries = 0; tries < 6 * from->s->events.count; tries++) {
        size_t event = avp_next(world, &run.state, random_below(random, (uint32_t)world->threads));
        if (event && event <= from->last && avp_run_step(&run, (uint32_t)event))
            order->events[order->count++] = (uint32_t)event;
    }
}

/* Perhaps the order ends with a thread's next event, whether it may happen or not. */
static void end_anyhow(const start *from, random_source *random, avp_order *order)
{
    const avp_world *world = &from->s->world;
    uint32_t thread = random_below(random, (uint32_t)world->threads);
    avp_run run = from->past;
    order->count = random_below(random, (uint32_t)order->count + 1);
    for (size_t i = 0; i < order->count; i++)
        avp_run_step(&run, order->events[i]);
    size_t at = run.state.at[thread];
    if (at < world->thread[thread].count && world->thread[thread].events[at] <= from->last)
        order->events[order->count++] = (uint32_t)world->thread[thread].events[at];
}

typedef enum outcome { REFUSED, NO_VIOLATION, VIOLATION } outcome;

static const char *const outcomes[] = {"refuses a step", "finds no path", "accepts it"};

static outcome judge_by_definition(const start *from, const avp_order *order, size_t block)
{
    avp_run run = from->past;
    if (!from->can_begin)
        return REFUSED;
    for (size_t i = 0; i < order->count; i++)
        if (!avp_run_step(&run, order->events[i]))
            return REFUSED;
    return avp_run_violation(&run, block, false) ? VIOLATION : NO_VIOLATION;
}

static outcome judge_from_checkpoint(const start *from, const avp_order *order, size_t block,
                                     ser_error *error)
{
    uint64_t numbers[AVP_MOST_EVENTS];
    for (size_t i = 0; i < order->count; i++)
        numbers[i] = order->events[i];
    const ser_checked_window window = {&from->checkpoint, from->s->events.items + from->first - 1,
                                       from->last + 1 - from->first, from->first};
    const ser_late_witness witness = {block, from->later, from->later_count, numbers, order->count};
    if (ser_checker_check_from(&window, &witness, NULL, error) == SER_OK)
        return VIOLATION;
    return strstr(error->text, ": step ") ? REFUSED : NO_VIOLATION;
}

/* An order that ends within a step is refused by one, and violates nothing for the other. */
static bool judged_differently(const start *from, const avp_order *order, size_t block,
                               difference *found)
{
    ser_error error = {0};
    outcome expected = judge_by_definition(from, order, block);
    outcome got = judge_from_checkpoint(from, order, block, &error);
    if (got == expected)
        return false;
    differ(found, "block of event %zu, window %u to %u: the checker at the checkpoint %s: %s\n",
           block, from->first, from->last, outcomes[got], error.text);
    describe_order(found, "order", order->events, order->count);
    return true;
}

static bool window_differs(const sample *s, random_source *random, difference *found)
{
    start from = {.s = s};
    avp_order order;
    bool differs = false;
    choose_window(&from, random);
    for (uint32_t i = 1; i < from.first; i++)
        ser_checkpoint_take(&from.checkpoint, &s->events.items[i - 1], i);
    choose_later(&from, random);
    run_past(&from);
    draw_steps(&from, random, &order);
    if (random_chance(random, 50))
        end_anyhow(&from, random, &order);
    for (size_t i = 0; i < s->world.block_count && !differs; i++)
        if (s->world.blocks[i].begin >= from.first && s->world.blocks[i].begin <= from.last)
            differs = judged_differently(&from, &order, s->world.blocks[i].begin, found);
    ser_checkpoint_fini(&from.checkpoint);
    return differs;
}

static bool fail_checkpoints(const trial *t, const sample *s, difference *found)
{
    (void)t;
    random_source random = {s->seed ^ UINT64_C(0x636865636b)};
    bool differs = false;
    if (s->by_value || s->world.reads || uses_freed(s) || !s->events.count)
        return false; /* only the model avp */
    for (int i = 0; i < WINDOWS_A_TRACE && !differs; i++)
        differs = window_differs(s, &random, found);
    return differs;
}

const trial trial_checkpoints = {"checkpoints", fail_checkpoints, NULL, false};
