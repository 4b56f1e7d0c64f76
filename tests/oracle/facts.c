/* SPDX-License-Identifier: MIT */
/*
 * The meaning of single events, one plain scan for each. facts_init goes through
 * the trace once, and looks back from every event as far as it has to.
 */
#include "facts.h"

#include "base/memory.h"

bool is_operation(const facts *f, size_t number, ser_op op, uint32_t object)
{
    const ser_event *event = event_at(f, number);
    return event->op == op && event->object == object && !f->inner[number];
}

bool is_acquire_of(const facts *f, size_t number, uint32_t lock)
{
    return is_operation(f, number, SER_OP_ACQUIRE, lock) ||
           is_operation(f, number, SER_OP_SHARED_ACQUIRE, lock);
}

bool is_release_of(const facts *f, size_t number, uint32_t lock)
{
    return is_operation(f, number, SER_OP_RELEASE, lock) ||
           is_operation(f, number, SER_OP_SHARED_RELEASE, lock);
}

bool still_holds(const facts *f, size_t acquire, size_t later)
{
    const ser_event *event = event_at(f, acquire);
    ser_op release = event->op == SER_OP_ACQUIRE ? SER_OP_RELEASE : SER_OP_SHARED_RELEASE;
    for (size_t i = acquire + 1; i < later; i++)
        if (event_at(f, i)->thread == event->thread && is_operation(f, i, release, event->object))
            return false;
    return true;
}

static void find_previous(facts *f, size_t number)
{
    size_t i = number - 1;
    while (i > 0 && (event_at(f, i)->op == SER_OP_SKIP ||
                     event_at(f, i)->thread != event_at(f, number)->thread))
        i--;
    f->previous[number] = i;
}

/* A transaction is a block or a single event outside any block. */
static void find_transaction(facts *f, size_t number)
{
    size_t before = f->previous[number];
    uint8_t flags = event_at(f, number)->flags;
    bool in_block = before && !f->close[f->transaction[before]];
    f->transaction[number] = in_block ? f->transaction[before] : number;
    bool unary = !in_block && !(flags & SER_EVENT_OPENS);
    if (unary || (flags & SER_EVENT_CLOSES))
        f->close[f->transaction[number]] = number;
}

/* How often the thread of an event has acquired its lock in this mode without
 * releasing it, before the event. */
static size_t count_holds(const facts *f, size_t number, ser_op acquire, ser_op release)
{
    const ser_event *event = event_at(f, number);
    size_t depth = 0;
    for (size_t i = 1; i < number; i++) {
        const ser_event *earlier = event_at(f, i);
        if (earlier->thread != event->thread || earlier->object != event->object)
            continue;
        if (earlier->op == acquire)
            depth++;
        else if (earlier->op == release)
            depth--;
    }
    return depth;
}

static void find_inner(facts *f, size_t number)
{
    switch ((ser_op)event_at(f, number)->op) {
    case SER_OP_ACQUIRE:
        f->inner[number] = count_holds(f, number, SER_OP_ACQUIRE, SER_OP_RELEASE) > 0;
        break;
    case SER_OP_RELEASE:
        f->inner[number] = count_holds(f, number, SER_OP_ACQUIRE, SER_OP_RELEASE) > 1;
        break;
    case SER_OP_SHARED_ACQUIRE:
        f->inner[number] = count_holds(f, number, SER_OP_SHARED_ACQUIRE, SER_OP_SHARED_RELEASE) > 0;
        break;
    case SER_OP_SHARED_RELEASE:
        f->inner[number] = count_holds(f, number, SER_OP_SHARED_ACQUIRE, SER_OP_SHARED_RELEASE) > 1;
        break;
    default:
        break;
    }
}

static bool is_used_up(const facts *f, size_t notify, size_t before)
{
    if (event_at(f, notify)->op == SER_OP_NOTIFY_ALL)
        return false;
    for (size_t i = notify + 1; i < before; i++)
        if (f->woken_by[i] == notify)
            return true;
    return false;
}

/* A thread's step after a wait couples the wait with the earliest notify since
 * then that still has capacity. */
static void find_waker(facts *f, size_t number)
{
    size_t wait = f->previous[number];
    if (!wait || event_at(f, wait)->op != SER_OP_WAIT)
        return;
    uint32_t condition = event_at(f, wait)->object;
    for (size_t i = wait + 1; i < number; i++) {
        bool notifies = is_operation(f, i, SER_OP_NOTIFY, condition) ||
                        is_operation(f, i, SER_OP_NOTIFY_ALL, condition);
        if (notifies && !is_used_up(f, i, number)) {
            f->woken_by[number] = i;
            return;
        }
    }
}

static size_t newest_round(const facts *f, size_t number, uint32_t barrier)
{
    size_t newest = 0;
    for (size_t i = 1; i < number; i++)
        if (is_operation(f, i, SER_OP_ARRIVE, barrier) && f->round[i] > newest)
            newest = f->round[i];
    return newest;
}

static bool round_has_departures(const facts *f, size_t number, uint32_t barrier, size_t round)
{
    for (size_t i = 1; i < number; i++)
        if (is_operation(f, i, SER_OP_DEPART, barrier) && f->round[i] == round)
            return true;
    return false;
}

/* An arrival belongs to the newest round, or opens the next one if a thread has
 * departed from that. */
static size_t round_of_arrival(const facts *f, size_t number)
{
    uint32_t barrier = event_at(f, number)->object;
    size_t newest = newest_round(f, number, barrier);
    if (newest == 0 || round_has_departures(f, number, barrier, newest))
        return newest + 1;
    return newest;
}

/* A departure belongs to the round of its thread's last arrival; one who did not
 * arrive since it departed last (a latch) belongs to the newest. */
static size_t round_of_departure(const facts *f, size_t number)
{
    uint32_t barrier = event_at(f, number)->object;
    size_t i = f->previous[number];
    while (i > 0 && !is_operation(f, i, SER_OP_ARRIVE, barrier) &&
           !is_operation(f, i, SER_OP_DEPART, barrier))
        i = f->previous[i];
    if (i > 0 && event_at(f, i)->op == SER_OP_ARRIVE)
        return f->round[i];
    return newest_round(f, number, barrier);
}

static void find_round(facts *f, size_t number)
{
    if (event_at(f, number)->op == SER_OP_ARRIVE)
        f->round[number] = round_of_arrival(f, number);
    else if (event_at(f, number)->op == SER_OP_DEPART)
        f->round[number] = round_of_departure(f, number);
}

static bool post_is_used(const facts *f, size_t post, size_t before)
{
    for (size_t i = post + 1; i < before; i++)
        if (f->post[i] == post)
            return true;
    return false;
}

/* First come, first served; without a post left it was the initial stock. */
static void find_post(facts *f, size_t number)
{
    if (event_at(f, number)->op != SER_OP_TAKE)
        return;
    for (size_t i = 1; i < number; i++) {
        if (is_operation(f, i, SER_OP_POST, event_at(f, number)->object) &&
            !post_is_used(f, i, number)) {
            f->post[number] = i;
            return;
        }
    }
}

void facts_init(facts *f, const ser_event *events, size_t count)
{
    *f = (facts){.events = ser_alloc(count + 1, sizeof *events), .count = count};
    for (size_t i = 0; i < count; i++) {
        f->events[i] = events[i];
        f->events[i].op = (uint8_t)plain_op(events[i].op);
    }
    f->transaction = ser_alloc(count + 1, sizeof *f->transaction);
    f->close = ser_alloc(count + 1, sizeof *f->close);
    f->previous = ser_alloc(count + 1, sizeof *f->previous);
    f->inner = ser_alloc(count + 1, sizeof *f->inner);
    f->woken_by = ser_alloc(count + 1, sizeof *f->woken_by);
    f->round = ser_alloc(count + 1, sizeof *f->round);
    f->post = ser_alloc(count + 1, sizeof *f->post);
    for (size_t number = 1; number <= count; number++) {
        if (event_at(f, number)->op == SER_OP_SKIP)
            continue;
        find_previous(f, number);
        find_transaction(f, number);
        find_inner(f, number);
        find_waker(f, number);
        find_round(f, number);
        find_post(f, number);
    }
}

void facts_fini(facts *f)
{
    free(f->events);
    free(f->transaction);
    free(f->close);
    free(f->previous);
    free(f->inner);
    free(f->woken_by);
    free(f->round);
    free(f->post);
}
