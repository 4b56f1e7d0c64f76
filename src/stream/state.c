/* SPDX-License-Identifier: MIT */
#include "stream/state.h"

static void copy_list(ser_pending_list *to, const ser_pending_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        ser_vector_push(to, from->items[i]);
}

static void remove_at(ser_pending_list *list, size_t index)
{
    memmove(&list->items[index], &list->items[index + 1],
            (list->count - index - 1) * sizeof *list->items);
    list->count--;
}

/* --- locks and semaphores -------------------------------------------------------- */

/* A thread may hold a lock both ways, and go on as a reader. */
static void release(ser_stream_state *state, const ser_event *event)
{
    bool is_shared = ser_op_is_shared((ser_op)event->op);
    for (size_t i = state->held.count; i-- > 0;) {
        const ser_event *acquire = &state->held.items[i].event;
        if (acquire->object != event->object || acquire->thread != event->thread ||
            ser_op_is_shared((ser_op)acquire->op) != is_shared)
            continue;
        remove_at(&state->held, i);
        return;
    }
}

static void take_lock(ser_stream_state *state, const ser_event *event, uint64_t number)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (ser_op_acquires((ser_op)event->op))
        ser_vector_push(&state->held, ((ser_pending){.event = *event, .number = number}));
    else if (ser_op_releases((ser_op)event->op))
        release(state, event);
}

static void take_semaphore(ser_stream_state *state, const ser_event *event)
{
    uint32_t *stock = ser_vector_slot(&state->stocks, event->object);
    if (!ser_op_takes((ser_op)event->op))
        ++*stock;
    else if (*stock)
        --*stock;
}

/* --- barriers ---------------------------------------------------------------------- */

/* The round that the thread has to leave, which it does; 0: it has not arrived. */
static uint64_t leave_round(ser_stream_barrier *barrier, uint32_t thread)
{
    for (size_t i = 0; i < barrier->inside.count; i++) {
        ser_inside *one = &barrier->inside.items[i];
        if (one->arrival.thread != thread)
            continue;
        uint64_t round = one->round;
        memmove(one, one + 1, (barrier->inside.count - i - 1) * sizeof *one);
        barrier->inside.count--;
        return round;
    }
    return 0;
}

/* A thread that departs without having arrived leaves the newest round. */
static void take_barrier(ser_stream_state *state, const ser_event *event)
{
    ser_stream_barrier *barrier = ser_vector_slot(&state->barriers, event->object);
    uint64_t round = leave_round(barrier, event->thread);
    if (ser_op_departs((ser_op)event->op)) {
        barrier->is_closed |= !round || round == barrier->round;
        return;
    }
    if (!barrier->round || barrier->is_closed) {
        barrier->round++;
        barrier->is_closed = false;
    }
    ser_vector_push(&barrier->inside, ((ser_inside){*event, barrier->round}));
}

static void copy_barriers(ser_stream_state *copy, const ser_stream_state *state)
{
    ser_vector_extend(&copy->barriers, state->barriers.count);
    for (size_t i = 0; i < state->barriers.count; i++) {
        const ser_stream_barrier *from = &state->barriers.items[i];
        ser_stream_barrier *to = &copy->barriers.items[i];
        to->round = from->round;
        to->is_closed = from->is_closed;
        for (size_t j = 0; j < from->inside.count; j++)
            ser_vector_push(&to->inside, from->inside.items[j]);
    }
}

/* --- conditions -------------------------------------------------------------------- */

/* Notifies that no waiting thread can have got do not matter any more. */
static void prune(ser_waiters *condition)
{
    uint64_t oldest = condition->waits.count ? condition->waits.items[0].number : UINT64_MAX;
    while (condition->notifies.count && condition->notifies.items[0].number < oldest)
        remove_at(&condition->notifies, 0);
}

/* The earliest notify after the wait is the one that woke it. */
static void consume(ser_waiters *condition, uint64_t wait)
{
    for (size_t i = 0; i < condition->notifies.count; i++) {
        const ser_pending *notify = &condition->notifies.items[i];
        if (notify->number < wait)
            continue;
        if (!ser_op_has((ser_op)notify->event.op, SER_ALL))
            remove_at(&condition->notifies, i);
        return;
    }
}

/* The thread does not wait any more: it goes on, or it has ended, without being woken. A wait that
 * its thread ends with was pending at all later notifies, and is in the way of none. */
static void end_wait(ser_stream_state *state, uint32_t thread, bool goes_on)
{
    uint32_t *own = ser_vector_slot(&state->waits_for, thread);
    if (!*own)
        return;
    ser_waiters *condition = &state->conditions.items[*own - 1];
    bool was_unclear = condition->notifies.count > 0;
    *own = 0;
    for (size_t i = 0; i < condition->waits.count; i++) {
        if (condition->waits.items[i].event.thread != thread)
            continue;
        if (goes_on)
            consume(condition, condition->waits.items[i].number);
        remove_at(&condition->waits, i);
        break;
    }
    prune(condition);
    state->unclear -= was_unclear && condition->notifies.count == 0;
}

static void take_condition(ser_stream_state *state, const ser_event *event, uint64_t number,
                           bool ends_wait)
{
    ser_waiters *condition = ser_vector_slot(&state->conditions, event->object);
    if (ser_op_waits((ser_op)event->op)) {
        ser_vector_push(&condition->waits, ((ser_pending){*event, number, ends_wait}));
        *ser_vector_slot(&state->waits_for, event->thread) = event->object + 1;
    } else if (condition->waits.count) {
        state->unclear += condition->notifies.count == 0;
        ser_vector_push(&condition->notifies, ((ser_pending){.event = *event, .number = number}));
    }
}

/* --- all ----------------------------------------------------------------------------- */

void ser_stream_state_take_other(ser_stream_state *state, const ser_event *event, uint64_t number)
{
    ser_op op = (ser_op)event->op;
    if (!ser_op_takes_part(op))
        return;
    bool ends_wait = *ser_vector_slot(&state->waits_for, event->thread) != 0;
    if (ends_wait)
        end_wait(state, event->thread, true);
    if (ser_op_joins(op))
        end_wait(state, event->object, false);
    if (event->flags & SER_EVENT_LATE)
        state->late = number;
    switch (ser_op_space(op)) {
    case SER_SPACE_LOCK:
        take_lock(state, event, number);
        break;
    case SER_SPACE_SEMAPHORE:
        take_semaphore(state, event);
        break;
    case SER_SPACE_BARRIER:
        take_barrier(state, event);
        break;
    case SER_SPACE_CONDITION:
        take_condition(state, event, number, ends_wait);
        break;
    default:
        break;
    }
}

void ser_stream_state_take_past(ser_stream_state *state, const ser_past_event *past)
{
    for (uint64_t times = past->times; times > 0; times--)
        ser_stream_state_take(state, &past->event, past->number);
    if (!past->ends_wait)
        return;
    ser_pending_list *waits = &state->conditions.items[past->event.object].waits;
    waits->items[waits->count - 1].ends_wait = true;
}

static void copy_conditions(ser_stream_state *copy, const ser_stream_state *state)
{
    for (size_t i = 0; i < state->conditions.count; i++) {
        const ser_waiters *from = &state->conditions.items[i];
        if (from->waits.count == 0)
            continue;
        ser_waiters *to = ser_vector_slot(&copy->conditions, i);
        copy_list(&to->waits, &from->waits);
        copy_list(&to->notifies, &from->notifies);
    }
    ser_vector_extend(&copy->waits_for, state->waits_for.count);
    for (size_t i = 0; i < state->waits_for.count; i++)
        copy->waits_for.items[i] = state->waits_for.items[i];
}

void ser_stream_state_copy(ser_stream_state *copy, const ser_stream_state *state)
{
    copy_list(&copy->held, &state->held);
    copy_conditions(copy, state);
    copy_barriers(copy, state);
    ser_vector_extend(&copy->stocks, state->stocks.count);
    for (size_t i = 0; i < state->stocks.count; i++)
        copy->stocks.items[i] = state->stocks.items[i];
    copy->unclear = state->unclear;
    copy->late = state->late;
}

void ser_stream_state_fini(ser_stream_state *state)
{
    for (size_t i = 0; i < state->conditions.count; i++) {
        ser_vector_free(&state->conditions.items[i].waits);
        ser_vector_free(&state->conditions.items[i].notifies);
    }
    for (size_t i = 0; i < state->barriers.count; i++)
        ser_vector_free(&state->barriers.items[i].inside);
    ser_vector_free(&state->barriers);
    ser_vector_free(&state->held);
    ser_vector_free(&state->conditions);
    ser_vector_free(&state->waits_for);
    ser_vector_free(&state->stocks);
}
