/* SPDX-License-Identifier: MIT */
/*
 * What the checkpoint holds of the window's objects and threads, and behind it the window, is a
 * trace of its own (make_trace). The order, behind all of the past that does not come later, goes
 * to the checker.
 */
#include "witness/from_checkpoint.h"

#include <inttypes.h>

typedef SER_VECTOR(bool) flag_list;

typedef struct short_trace {
    const ser_checked_window *window;
    const ser_late_witness *witness;
    flag_list used[SER_SPACE_COUNT]; /* by space and object: the window has it */
    SER_VECTOR(uint64_t) takes;      /* by semaphore: in the window */
    SER_VECTOR(ser_event) events;    /* events.items[0] is unused */
    SER_VECTOR(uint64_t) numbers;    /* the same, in the trace */
    size_t past;                     /* events before the window */
    SER_VECTOR(uint32_t) order;
} short_trace;

static bool has(const flag_list *flags, uint32_t index)
{
    return index < flags->count && flags->items[index];
}

static bool comes_later(const ser_late_witness *witness, uint64_t number)
{
    for (size_t i = 0; i < witness->later_count; i++)
        if (witness->later[i] == number)
            return true;
    return false;
}

static void note_used(short_trace *own)
{
    for (size_t i = 0; i < own->window->count; i++) {
        const ser_event *event = &own->window->events[i];
        ser_space space = ser_op_space((ser_op)event->op);
        if (!ser_op_takes_part((ser_op)event->op))
            continue;
        *ser_vector_slot(&own->used[SER_SPACE_THREAD], event->thread) = true;
        if (event->object != SER_NO_OBJECT)
            *ser_vector_slot(&own->used[space], event->object) = true;
        if (ser_op_takes((ser_op)event->op))
            ++*ser_vector_slot(&own->takes, event->object);
    }
}

/* A notify of the past that has woken such a wait cannot have happened without it. */
static void note_later(short_trace *own, const ser_past_events *waits)
{
    for (size_t i = 0; i < waits->count; i++)
        if (comes_later(own->witness, waits->items[i].number))
            *ser_vector_slot(&own->used[SER_SPACE_CONDITION], waits->items[i].event.object) = true;
}

/* An ordered-last access counts in any case: nothing before it comes later. */
static bool is_needed(const short_trace *own, const ser_past_event *past)
{
    const ser_event *event = &past->event;
    if (event->flags & SER_EVENT_LATE || comes_later(own->witness, past->number))
        return true;
    if (event->flags & SER_EVENT_INNER)
        return false;
    if (ser_op_waits((ser_op)event->op) && has(&own->used[SER_SPACE_THREAD], event->thread))
        return true;
    switch (ser_op_space((ser_op)event->op)) {
    case SER_SPACE_THREAD: /* all of the past has happened */
    case SER_SPACE_LABEL:
    case SER_SPACE_FUNCTION:
        return false;
    default:
        return has(&own->used[ser_op_space((ser_op)event->op)], event->object);
    }
}

static void put(short_trace *own, const ser_event *event, uint64_t number)
{
    ser_vector_push(&own->events, *event);
    ser_vector_push(&own->numbers, number);
}

/* Blocks and steps that have begun before the window are none here. */
static void put_past(short_trace *own, const ser_past_event *past)
{
    ser_event event = past->event;
    uint64_t times = 1;
    event.flags &= SER_EVENT_LATE;
    if (ser_op_posts((ser_op)event.op)) {
        uint64_t takes = event.object < own->takes.count ? own->takes.items[event.object] : 0;
        times = past->times < takes ? past->times : takes;
    }
    for (; times > 0; times--)
        put(own, &event, past->number);
}

static void make_trace(short_trace *own)
{
    ser_past_events past = {0};
    ser_checkpoint_list(own->window->start, &past);
    put(own, &(ser_event){0}, 0);
    for (size_t i = 0; i < past.count; i++)
        if (is_needed(own, &past.items[i]))
            put_past(own, &past.items[i]);
    own->past = own->events.count - 1;
    for (size_t i = 0; i < own->window->count; i++)
        put(own, &own->window->events[i], own->window->first + i);
    ser_vector_free(&past);
}

/* A notify between the two may have seen the earlier wait ended. */
static ser_status expect_movable(const short_trace *own, ser_error *error)
{
    const ser_past_events *waits = &own->window->start->waits;
    for (size_t i = 0; i < own->witness->later_count; i++) {
        uint64_t later = own->witness->later[i];
        size_t at = 0;
        while (at < waits->count && waits->items[at].number != later)
            at++;
        if (at == waits->count || waits->items[at].ends_wait)
            return ser_fail(error, SER_INTERNAL,
                            "event %" PRIu64 " is no wait that is pending at the window's "
                            "beginning and may come later",
                            later);
    }
    return SER_OK;
}

/* Its number in the short trace; 0: it has none. */
static uint32_t find(const short_trace *own, uint64_t number)
{
    const ser_checked_window *window = own->window;
    if (number >= window->first && number - window->first < window->count)
        return (uint32_t)(own->past + 1 + (number - window->first));
    for (size_t i = 1; i <= own->past && comes_later(own->witness, number); i++)
        if (own->numbers.items[i] == number)
            return (uint32_t)i;
    return 0;
}

static void make_order(short_trace *own)
{
    for (size_t i = 1; i <= own->past; i++)
        if (!comes_later(own->witness, own->numbers.items[i]))
            ser_vector_push(&own->order, (uint32_t)i);
    for (size_t i = 0; i < own->witness->order_count; i++)
        ser_vector_push(&own->order, find(own, own->witness->order[i]));
}

/* From events of the short trace to those of the trace. */
static void take_facts(const short_trace *own, const ser_witness_facts *found,
                       ser_witness_facts *facts)
{
    for (size_t i = 0; i < found->path.count; i++)
        ser_vector_push(&facts->path, (uint32_t)own->numbers.items[found->path.items[i]]);
    for (size_t i = 0; i < found->broken.count; i++)
        ser_vector_push(&facts->broken, (uint32_t)own->numbers.items[found->broken.items[i]]);
}

static ser_status check(short_trace *own, ser_witness_facts *wanted, ser_error *error)
{
    ser_witness_facts facts;
    make_order(own);
    uint32_t block = find(own, own->witness->block);
    ser_checker *checker =
        ser_checker_create(own->events.items, (uint32_t)(own->events.count - 1), NULL);
    ser_status status =
        ser_checker_check(checker, block, false, own->order.items, own->order.count, &facts, error);
    if (status)
        ser_error_prefix(error, "after %zu events from before event %" PRIu64, own->past,
                         own->window->first);
    else if (wanted)
        take_facts(own, &facts, wanted);
    ser_witness_facts_fini(&facts);
    ser_checker_destroy(checker);
    return status;
}

ser_status ser_checker_check_from(const ser_checked_window *window, const ser_late_witness *witness,
                                  ser_witness_facts *facts, ser_error *error)
{
    short_trace own = {.window = window, .witness = witness};
    if (facts)
        *facts = (ser_witness_facts){0};
    note_used(&own);
    note_later(&own, &window->start->waits);
    make_trace(&own);
    ser_status status = expect_movable(&own, error);
    if (!status)
        status = check(&own, facts, error);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_vector_free(&own.used[space]);
    ser_vector_free(&own.takes);
    ser_vector_free(&own.events);
    ser_vector_free(&own.numbers);
    ser_vector_free(&own.order);
    return status;
}
