/* SPDX-License-Identifier: MIT */
/*
 * The rules of the definition, one function each. A rule that forbids the event names the event
 * that prevents it by number; names of threads, locks and variables are not available here.
 *
 * Cost: O(1), for acquires and notifies O(holders, waits), for the first departure of a round
 * O(arrivals), for the first event of an ordered-last step O(threads).
 */
#include "witness/checker/rules.h"

static const ser_event *event_of(const ser_execution *run, uint32_t number)
{
    return &run->observed->events[number];
}

static const char *why_stopped(const ser_execution *run, uint32_t at)
{
    bool is_access = ser_checked_is_access(event_of(run, at));
    return is_access && ser_execution_is_freed(run, at) ? "an access of freed memory"
                                                        : "a broken read";
}

/* The event must be its thread's next one, and the thread must run. */
static ser_status allow_turn(const ser_execution *run, uint32_t number, ser_error *error)
{
    if (number == 0 || number > run->observed->count)
        return ser_fail(error, SER_INTERNAL, "the trace has no such event, only 1 to %u",
                        run->observed->count);
    if (ser_checked_op(event_of(run, number)) == SER_OP_SKIP)
        return ser_fail(error, SER_INTERNAL, "it takes no part in the trace");
    if (run->done[number])
        return ser_fail(error, SER_INTERNAL, "it has happened already");
    uint32_t last = run->order.count ? run->order.items[run->order.count - 1] : 0;
    if (last && number != last + 1 && ser_observed_is_joined(run->observed, last))
        return ser_fail(error, SER_INTERNAL, "event %u is one step with event %u before it",
                        last + 1, last);
    uint32_t thread = event_of(run, number)->thread;
    const ser_execution_thread *state = &run->threads[thread];
    if (state->stopped)
        return ser_fail(error, SER_INTERNAL, "its thread stopped at event %u, %s", state->stopped,
                        why_stopped(run, state->stopped));
    if (state->next != number)
        return ser_fail(error, SER_INTERNAL, "event %u of its thread comes first", state->next);
    if (number >= state->limit)
        return ser_fail(error, SER_INTERNAL, "its thread had a changed read, event %u",
                        state->changed ? state->changed : state->altered);
    if (state->decides && run->code->kind[number] == SER_CODE_BARRIER)
        return ser_fail(error, SER_INTERNAL,
                        "its thread read another value, event %u, and it is not known whether that "
                        "matters here",
                        state->altered);
    uint32_t fork = run->observed->threads.items[thread].fork;
    if (fork && !run->done[fork])
        return ser_fail(error, SER_INTERNAL,
                        "its thread does not run yet: its fork, event %u, is missing", fork);
    return SER_OK;
}

static ser_status allow_wake_up(const ser_execution *run, uint32_t number, ser_error *error)
{
    uint32_t last = run->threads[event_of(run, number)->thread].last;
    if (!last || ser_checked_op(event_of(run, last)) != SER_OP_WAIT)
        return SER_OK;
    uint32_t notify = run->observed->source[last];
    if (notify && !run->done[notify])
        return ser_fail(error, SER_INTERNAL,
                        "its thread waits since event %u for the notify, event %u", last, notify);
    return SER_OK;
}

static ser_status allow_join(const ser_execution *run, uint32_t number, ser_error *error)
{
    uint32_t child = event_of(run, number)->object;
    uint32_t fork = run->observed->threads.items[child].fork;
    const ser_execution_thread *state = &run->threads[child];
    if (fork && !run->done[fork])
        return ser_fail(error, SER_INTERNAL, "the fork of the joined thread, event %u, is missing",
                        fork);
    if (state->stopped)
        return ser_fail(error, SER_INTERNAL, "the joined thread stopped at event %u, %s",
                        state->stopped, why_stopped(run, state->stopped));
    if (state->next)
        return ser_fail(error, SER_INTERNAL, "event %u of the joined thread is missing",
                        state->next);
    if (state->limit != SER_LIMIT_NONE)
        return ser_fail(error, SER_INTERNAL,
                        "the joined thread had a changed read, event %u, and may not end",
                        state->changed);
    return SER_OK;
}

static ser_status allow_acquire(const ser_execution *run, uint32_t number, ser_error *error)
{
    const ser_event *event = event_of(run, number);
    const ser_lock_holders *lock = &run->locks[event->object];
    if (event->flags & SER_EVENT_INNER)
        return SER_OK;
    if (lock->exclusive && event_of(run, lock->exclusive)->thread != event->thread)
        return ser_fail(error, SER_INTERNAL, "another thread holds the lock since event %u",
                        lock->exclusive);
    if (ser_checked_op(event) == SER_OP_SHARED_ACQUIRE)
        return SER_OK;
    for (size_t i = 0; i < lock->shared.count; i++)
        if (event_of(run, lock->shared.items[i])->thread != event->thread)
            return ser_fail(error, SER_INTERNAL,
                            "another thread holds the lock shared since event %u",
                            lock->shared.items[i]);
    return SER_OK;
}

/* Has the wait happened, and its thread taken no step since? */
static bool is_pending(const ser_execution *run, uint32_t wait)
{
    return run->threads[event_of(run, wait)->thread].last == wait;
}

/* A wait of the notify's own thread ends with this very event. */
static ser_status allow_notify(const ser_execution *run, uint32_t number, ser_error *error)
{
    const ser_observed *observed = run->observed;
    const ser_event *event = event_of(run, number);
    for (uint32_t wait = observed->chain[number]; wait; wait = observed->chain[wait])
        if (!is_pending(run, wait))
            return ser_fail(error, SER_INTERNAL, "the wait that it ends, event %u, is not pending",
                            wait);
    for (size_t i = 0; i < run->pending[event->object].count; i++) {
        uint32_t wait = run->pending[event->object].items[i];
        if (event_of(run, wait)->thread != event->thread &&
            !ser_observed_pending_at(observed, wait, number))
            return ser_fail(error, SER_INTERNAL,
                            "the wait of event %u is pending, and was not in the trace", wait);
    }
    return SER_OK;
}

static ser_status allow_departure(const ser_execution *run, uint32_t number, ser_error *error)
{
    const ser_observed *observed = run->observed;
    if (observed->source[number] == run->round)
        return SER_OK; /* another departure of this round has happened */
    for (uint32_t arrival = observed->source[number]; arrival; arrival = observed->chain[arrival])
        if (!run->done[arrival])
            return ser_fail(error, SER_INTERNAL, "an arrival at the barrier, event %u, is missing",
                            arrival);
    return SER_OK;
}

static ser_status allow_take(const ser_execution *run, uint32_t number, ser_error *error)
{
    uint32_t post = run->observed->source[number];
    if (post && !run->done[post])
        return ser_fail(error, SER_INTERNAL, "the post that served it, event %u, is missing", post);
    return SER_OK;
}

static ser_status allow_operation(const ser_execution *run, uint32_t number, ser_error *error)
{
    switch (ser_checked_op(event_of(run, number))) {
    case SER_OP_JOIN:
        return allow_join(run, number, error);
    case SER_OP_ACQUIRE:
    case SER_OP_SHARED_ACQUIRE:
        return allow_acquire(run, number, error);
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
        return allow_notify(run, number, error);
    case SER_OP_DEPART:
        return allow_departure(run, number, error);
    case SER_OP_TAKE:
        return allow_take(run, number, error);
    default:
        return SER_OK;
    }
}

/* An ordered-last access: everything before it in the trace must have happened. */
static ser_status allow_late(const ser_execution *run, uint32_t number, ser_error *error)
{
    if (run->may_change && run->broken.count)
        return ser_fail(error, SER_INTERNAL, "it is ordered last, and event %u is a changed read",
                        run->broken.items[0]);
    for (size_t thread = 0; thread < run->observed->threads.count; thread++) {
        const ser_execution_thread *state = &run->threads[thread];
        if (state->stopped && state->last < number)
            return ser_fail(error, SER_INTERNAL,
                            "it is ordered last, and a thread stopped before it at event %u, %s",
                            state->stopped, why_stopped(run, state->stopped));
        if (state->next && state->next < number)
            return ser_fail(error, SER_INTERNAL,
                            "it is ordered last, and event %u before it is missing", state->next);
    }
    return SER_OK;
}

/* Does a step begin here that has an ordered-last access? What holds at its beginning holds until
 * its end: no other thread takes a step between. */
static bool begins_late_step(const ser_observed *observed, uint32_t number)
{
    if (number > 1 && ser_observed_is_joined(observed, number - 1))
        return false;
    while (!(observed->events[number].flags & SER_EVENT_LATE) &&
           ser_observed_is_joined(observed, number))
        number++;
    return observed->events[number].flags & SER_EVENT_LATE;
}

ser_status ser_rules_allow(const ser_execution *run, uint32_t number, ser_error *error)
{
    ser_status status = allow_turn(run, number, error);
    if (!status)
        status = allow_wake_up(run, number, error);
    if (!status)
        status = allow_operation(run, number, error);
    if (!status && begins_late_step(run->observed, number))
        status = allow_late(run, number, error);
    return status;
}
