/* SPDX-License-Identifier: MIT */
/*
 * Lists, most of them short, that events are put into and taken out of; ser_checkpoint_list merges
 * them.
 */
#include "trace/checkpoint.h"

static void remove_at(ser_past_events *list, size_t index)
{
    memmove(&list->items[index], &list->items[index + 1],
            (list->count - index - 1) * sizeof *list->items);
    list->count--;
}

static ser_past_event past(const ser_event *event, uint64_t number)
{
    return (ser_past_event){.event = *event, .number = number, .times = 1};
}

/* --- locks, semaphores, threads, what is open ----------------------------------------- */

/* The last one of the same object (of opens: the last one) whose operation has these roles is no
 * more. */
static void take_out(ser_past_events *list, const ser_event *event, unsigned roles)
{
    for (size_t i = list->count; i-- > 0;) {
        const ser_event *one = &list->items[i].event;
        bool is_other =
            one->object != event->object && ser_op_space((ser_op)one->op) == SER_SPACE_LOCK;
        if (is_other || ser_op_roles((ser_op)one->op) != roles)
            continue;
        remove_at(list, i);
        return;
    }
}

static void take_lock(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    unsigned roles = ser_op_roles((ser_op)event->op);
    ser_past_events *holds = &ser_vector_slot(&all->by_thread, event->thread)->holds;
    if (ser_op_acquires((ser_op)event->op))
        ser_vector_push(holds, past(event, number));
    else if (ser_op_releases((ser_op)event->op))
        take_out(holds, event, (roles & ~(unsigned)SER_RELEASES) | SER_ACQUIRES);
}

/* The event of that object; a new one if there is none. */
static ser_past_event *find_of(ser_past_events *list, uint32_t *place)
{
    if (!*place) {
        ser_vector_push(list, ((ser_past_event){0}));
        *place = (uint32_t)list->count;
    }
    return &list->items[*place - 1];
}

static void take_semaphore(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    ser_past_event *last = find_of(&all->posts, ser_vector_slot(&all->posted, event->object));
    uint64_t left = last->times;
    if (!ser_op_takes((ser_op)event->op)) {
        *last = past(event, number);
        last->times = left + 1;
    } else if (left) {
        last->times--;
    }
}

static void take_open(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    ser_past_events *opens = &ser_vector_slot(&all->by_thread, event->thread)->opens;
    if (!all->keeps_threads)
        return;
    if (ser_op_has((ser_op)event->op, SER_OPENS))
        ser_vector_push(opens, past(event, number));
    else if (ser_op_ends((ser_op)event->op))
        take_out(opens, event, ser_op_roles(SER_OP_BEGIN));
    else if (ser_op_returns((ser_op)event->op))
        take_out(opens, event, ser_op_roles(SER_OP_CALL));
}

static void take_free(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    *find_of(&all->frees, ser_vector_slot(&all->freed, event->object)) = past(event, number);
}

/* --- barriers ---------------------------------------------------------------------------- */

static void remove_round(ser_checkpoint *all, size_t index)
{
    ser_vector_free(&all->rounds.items[index].inside);
    memmove(&all->rounds.items[index], &all->rounds.items[index + 1],
            (all->rounds.count - index - 1) * sizeof *all->rounds.items);
    all->rounds.count--;
}

/* The thread is no longer inside; the round that it has left, or NULL. */
static ser_past_round *leave(ser_checkpoint *all, const ser_event *event)
{
    for (size_t i = 0; i < all->rounds.count; i++) {
        ser_past_round *round = &all->rounds.items[i];
        for (size_t j = 0; round->barrier == event->object && j < round->inside.count; j++)
            if (round->inside.items[j].event.thread == event->thread) {
                remove_at(&round->inside, j);
                return round;
            }
    }
    return NULL;
}

static ser_past_round *newest_round(ser_checkpoint *all, uint32_t barrier)
{
    for (size_t i = all->rounds.count; i-- > 0;)
        if (all->rounds.items[i].barrier == barrier)
            return &all->rounds.items[i];
    return NULL;
}

static void drop_empty_rounds(ser_checkpoint *all, uint32_t barrier)
{
    for (size_t i = all->rounds.count; i-- > 0;) {
        const ser_past_round *round = &all->rounds.items[i];
        if (round->barrier == barrier && !round->inside.count && round->closing.number)
            remove_round(all, i);
    }
}

/* A thread that departs without having arrived leaves the newest round. */
static void take_barrier(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    ser_past_round *left = leave(all, event);
    if (ser_op_departs((ser_op)event->op)) {
        left = left ? left : newest_round(all, event->object);
        if (left && !left->closing.number)
            left->closing = past(event, number);
    } else {
        ser_past_round *round = newest_round(all, event->object);
        if (!round || round->closing.number) {
            ser_vector_push(&all->rounds, ((ser_past_round){.barrier = event->object}));
            round = &all->rounds.items[all->rounds.count - 1];
        }
        ser_vector_push(&round->inside, past(event, number));
    }
    drop_empty_rounds(all, event->object);
}

/* --- conditions -------------------------------------------------------------------------- */

/* The earliest notify after the wait that has capacity is the one that woke it. */
static void consume(ser_checkpoint *all, const ser_past_event *wait)
{
    for (size_t i = 0; i < all->notifies.count; i++) {
        const ser_past_event *notify = &all->notifies.items[i];
        if (notify->event.object != wait->event.object || notify->number < wait->number)
            continue;
        if (!ser_op_has((ser_op)notify->event.op, SER_ALL))
            remove_at(&all->notifies, i);
        return;
    }
}

/* Notifies of the condition that no waiting thread can have got do not matter any more. */
static void prune(ser_checkpoint *all, uint32_t condition)
{
    uint64_t oldest = UINT64_MAX;
    for (size_t i = all->waits.count; i-- > 0;)
        if (all->waits.items[i].event.object == condition)
            oldest = all->waits.items[i].number;
    size_t kept = 0;
    for (size_t i = 0; i < all->notifies.count; i++) {
        const ser_past_event notify = all->notifies.items[i];
        if (notify.event.object != condition || notify.number > oldest)
            all->notifies.items[kept++] = notify;
    }
    all->notifies.count = kept;
}

/* The thread goes on, or it has ended without being woken. */
static bool end_wait(ser_checkpoint *all, uint32_t thread, bool goes_on)
{
    ser_past_thread *own = ser_vector_slot(&all->by_thread, thread);
    size_t i = 0;
    if (!own->waits)
        return false;
    own->waits = false;
    while (all->waits.items[i].event.thread != thread)
        i++;
    const ser_past_event wait = all->waits.items[i];
    if (goes_on)
        consume(all, &wait);
    remove_at(&all->waits, i);
    prune(all, wait.event.object);
    return true;
}

static bool is_awaited(const ser_checkpoint *all, uint32_t condition)
{
    for (size_t i = 0; i < all->waits.count; i++)
        if (all->waits.items[i].event.object == condition)
            return true;
    return false;
}

static void take_condition(ser_checkpoint *all, const ser_event *event, uint64_t number,
                           bool ends_wait)
{
    ser_past_event own = past(event, number);
    own.ends_wait = ends_wait;
    if (ser_op_waits((ser_op)event->op)) {
        ser_vector_push(&all->waits, own);
        all->by_thread.items[event->thread].waits = true;
    } else if (is_awaited(all, event->object)) {
        ser_vector_push(&all->notifies, own);
    }
}

/* --- all ----------------------------------------------------------------------------------- */

void ser_checkpoint_take_other(ser_checkpoint *all, const ser_event *event, uint64_t number)
{
    ser_op op = (ser_op)event->op;
    if (!ser_op_takes_part(op))
        return;
    bool ends_wait = end_wait(all, event->thread, true);
    if (event->flags & SER_EVENT_LATE)
        all->late = past(event, number);
    switch (ser_op_space(op)) {
    case SER_SPACE_VARIABLE:
        if (ser_op_frees(op))
            take_free(all, event, number);
        break;
    case SER_SPACE_LOCK:
        take_lock(all, event, number);
        break;
    case SER_SPACE_SEMAPHORE:
        take_semaphore(all, event, number);
        break;
    case SER_SPACE_BARRIER:
        take_barrier(all, event, number);
        break;
    case SER_SPACE_CONDITION:
        take_condition(all, event, number, ends_wait);
        break;
    case SER_SPACE_THREAD:
        if (ser_op_joins(op))
            end_wait(all, event->object, false);
        if (all->keeps_threads)
            ser_vector_push(&all->threads, past(event, number));
        break;
    default:
        take_open(all, event, number);
        break;
    }
}

void ser_checkpoint_take_past(ser_checkpoint *all, const ser_past_event *past)
{
    for (uint64_t times = past->times; times > 0; times--)
        ser_checkpoint_take(all, &past->event, past->number);
    if (past->ends_wait)
        all->waits.items[all->waits.count - 1].ends_wait = true;
}

static void append(ser_past_events *to, const ser_past_events *from)
{
    for (size_t i = 0; i < from->count; i++)
        ser_vector_push(to, from->items[i]);
}

static int by_number(const void *a, const void *b)
{
    uint64_t first = ((const ser_past_event *)a)->number;
    uint64_t second = ((const ser_past_event *)b)->number;
    return (first > second) - (first < second);
}

/* An event may be there twice: a free that is ordered last. */
static void sort(ser_past_events *events)
{
    size_t kept = 0;
    if (events->count)
        qsort(events->items, events->count, sizeof *events->items, by_number);
    for (size_t i = 0; i < events->count; i++)
        if (!kept || events->items[kept - 1].number != events->items[i].number)
            events->items[kept++] = events->items[i];
    events->count = kept;
}

void ser_checkpoint_list(const ser_checkpoint *checkpoint, ser_past_events *events)
{
    for (size_t i = 0; i < checkpoint->by_thread.count; i++) {
        append(events, &checkpoint->by_thread.items[i].holds);
        append(events, &checkpoint->by_thread.items[i].opens);
    }
    append(events, &checkpoint->waits);
    append(events, &checkpoint->notifies);
    for (size_t i = 0; i < checkpoint->rounds.count; i++) {
        append(events, &checkpoint->rounds.items[i].inside);
        if (checkpoint->rounds.items[i].closing.number)
            ser_vector_push(events, checkpoint->rounds.items[i].closing);
    }
    for (size_t i = 0; i < checkpoint->posts.count; i++)
        if (checkpoint->posts.items[i].times)
            ser_vector_push(events, checkpoint->posts.items[i]);
    append(events, &checkpoint->frees);
    if (checkpoint->late.number)
        ser_vector_push(events, checkpoint->late);
    append(events, &checkpoint->threads);
    sort(events);
}

void ser_checkpoint_fini(ser_checkpoint *checkpoint)
{
    for (size_t i = 0; i < checkpoint->rounds.count; i++)
        ser_vector_free(&checkpoint->rounds.items[i].inside);
    ser_vector_free(&checkpoint->rounds);
    for (size_t i = 0; i < checkpoint->by_thread.count; i++) {
        ser_vector_free(&checkpoint->by_thread.items[i].holds);
        ser_vector_free(&checkpoint->by_thread.items[i].opens);
    }
    ser_vector_free(&checkpoint->by_thread);
    ser_vector_free(&checkpoint->waits);
    ser_vector_free(&checkpoint->notifies);
    ser_vector_free(&checkpoint->posts);
    ser_vector_free(&checkpoint->posted);
    ser_vector_free(&checkpoint->frees);
    ser_vector_free(&checkpoint->freed);
    ser_vector_free(&checkpoint->threads);
    *checkpoint = (ser_checkpoint){0};
}
