/* SPDX-License-Identifier: MIT */
/*
 * One pass over the trace; look_at is called for each event. What is still open
 * (last writes, holders of locks, notifies with capacity, rounds of barriers,
 * unused posts) is kept in a survey, which is thrown away at the end.
 *
 * Cost: O(1) per event, for failed tries and shared releases O(shared holders); a
 * wait finds its notify in almost constant time, since notifies without capacity
 * are skipped by links that are shortened when they are followed.
 */
#include "witness/checker/holders.h"

typedef struct notifies {
    ser_event_numbers list;  /* all of them, in order */
    SER_VECTOR(size_t) skip; /* skip[i] == i: it has capacity; else look there, further on */
} notifies;

typedef struct pending_wait {
    uint32_t wait; /* 0: the thread does not wait */
    size_t seen;   /* notifies on its condition before it */
} pending_wait;

typedef struct rounds {
    uint32_t first, last;     /* arrivals of the newest round */
    bool closed;              /* a thread has departed from it */
    ser_event_numbers inside; /* by thread: first arrival of the round it has to leave */
} rounds;

typedef struct posts {
    ser_event_numbers list;
    size_t used;
} posts;

typedef struct survey {
    ser_observed *observed;
    ser_event_numbers last_of; /* by thread: its last event so far */
    ser_event_numbers last_write;
    SER_VECTOR(ser_lock_holders) locks;
    SER_VECTOR(notifies) conditions;
    SER_VECTOR(pending_wait) waits; /* by thread */
    SER_VECTOR(rounds) barriers;
    SER_VECTOR(posts) semaphores;
} survey;

static void end_survey(survey *s)
{
    for (size_t i = 0; i < s->locks.count; i++)
        ser_vector_free(&s->locks.items[i].shared);
    for (size_t i = 0; i < s->conditions.count; i++) {
        ser_vector_free(&s->conditions.items[i].list);
        ser_vector_free(&s->conditions.items[i].skip);
    }
    for (size_t i = 0; i < s->barriers.count; i++)
        ser_vector_free(&s->barriers.items[i].inside);
    for (size_t i = 0; i < s->semaphores.count; i++)
        ser_vector_free(&s->semaphores.items[i].list);
    ser_vector_free(&s->last_of);
    ser_vector_free(&s->last_write);
    ser_vector_free(&s->locks);
    ser_vector_free(&s->conditions);
    ser_vector_free(&s->waits);
    ser_vector_free(&s->barriers);
    ser_vector_free(&s->semaphores);
}

static void append_to_thread(survey *s, uint32_t number)
{
    ser_observed *observed = s->observed;
    uint32_t thread = observed->events[number].thread;
    uint32_t *last = ser_vector_slot(&s->last_of, thread);
    if (*last)
        observed->next[*last] = number;
    else
        ser_vector_slot(&observed->threads, thread)->first = number;
    *last = number;
}

static void look_at_access(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    uint32_t *last = ser_vector_slot(&s->last_write, event->object);
    if (ser_checked_op(event) != SER_OP_WRITE)
        s->observed->source[number] = *last;
    if (ser_checked_op(event) != SER_OP_READ)
        *last = number;
}

static void look_at_lock(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    ser_lock_holders *lock = ser_vector_slot(&s->locks, event->object);
    if (event->flags & SER_EVENT_INNER ||
        ser_lock_holders_change(lock, s->observed->events, number))
        return;
    s->observed->source[number] = lock->exclusive; /* a failed try */
    if (!lock->exclusive && lock->shared.count)
        s->observed->source[number] = lock->shared.items[lock->shared.count - 1];
}

static void look_at_wait(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    notifies *condition = ser_vector_slot(&s->conditions, event->object);
    *ser_vector_slot(&s->waits, event->thread) = (pending_wait){number, condition->list.count};
}

static void look_at_notify(survey *s, uint32_t number)
{
    notifies *condition = ser_vector_slot(&s->conditions, s->observed->events[number].object);
    size_t at = condition->list.count;
    ser_vector_push(&condition->list, number);
    ser_vector_push(&condition->skip, at);
}

/* The first notify from `at` on that has capacity; the length of the list if there
 * is none. */
static size_t find_capacity(notifies *condition, size_t at)
{
    size_t count = condition->list.count, found = at;
    while (found < count && condition->skip.items[found] != found)
        found = condition->skip.items[found];
    while (at < found) {
        size_t further = condition->skip.items[at];
        condition->skip.items[at] = found;
        at = further;
    }
    return found;
}

/* The thread of a pending wait takes its next step: what woke it? */
static void end_wait(survey *s, uint32_t thread)
{
    pending_wait *pending = ser_vector_slot(&s->waits, thread);
    uint32_t wait = pending->wait;
    if (!wait)
        return;
    pending->wait = 0;
    ser_observed *observed = s->observed;
    notifies *condition = &s->conditions.items[observed->events[wait].object];
    size_t at = find_capacity(condition, pending->seen);
    if (at == condition->list.count)
        return;
    uint32_t notify = condition->list.items[at];
    observed->source[wait] = notify;
    observed->chain[wait] = observed->chain[notify];
    observed->chain[notify] = wait;
    if (ser_checked_op(&observed->events[notify]) == SER_OP_NOTIFY)
        condition->skip.items[at] = at + 1;
}

static void look_at_arrival(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    rounds *barrier = ser_vector_slot(&s->barriers, event->object);
    if (barrier->closed || !barrier->first)
        barrier->first = number;
    else
        s->observed->chain[barrier->last] = number;
    barrier->last = number;
    barrier->closed = false;
    *ser_vector_slot(&barrier->inside, event->thread) = barrier->first;
}

/* A thread that did not arrive since its last departure waits for the newest round, as at a latch.
 */
static void look_at_departure(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    rounds *barrier = ser_vector_slot(&s->barriers, event->object);
    uint32_t *inside = ser_vector_slot(&barrier->inside, event->thread);
    uint32_t round = *inside ? *inside : barrier->first;
    *inside = 0;
    s->observed->source[number] = round;
    if (round == barrier->first)
        barrier->closed = true;
}

static void look_at_take(survey *s, uint32_t number)
{
    posts *semaphore = ser_vector_slot(&s->semaphores, s->observed->events[number].object);
    if (semaphore->used < semaphore->list.count)
        s->observed->source[number] = semaphore->list.items[semaphore->used++];
}

static void look_at(survey *s, uint32_t number)
{
    const ser_event *event = &s->observed->events[number];
    switch (ser_checked_op(event)) {
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        look_at_access(s, number);
        break;
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_TRY_FAILED:
        look_at_lock(s, number);
        break;
    case SER_OP_FORK:
        ser_vector_slot(&s->observed->threads, event->object)->fork = number;
        break;
    case SER_OP_JOIN:
        ser_vector_extend(&s->observed->threads, (size_t)event->object + 1);
        break;
    case SER_OP_WAIT:
        look_at_wait(s, number);
        break;
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
        look_at_notify(s, number);
        break;
    case SER_OP_ARRIVE:
        look_at_arrival(s, number);
        break;
    case SER_OP_DEPART:
        look_at_departure(s, number);
        break;
    case SER_OP_POST:
        ser_vector_push(&ser_vector_slot(&s->semaphores, event->object)->list, number);
        break;
    case SER_OP_TAKE:
        look_at_take(s, number);
        break;
    default:
        break;
    }
}

static bool frees_something(const ser_observed *observed)
{
    for (uint32_t number = 1; number <= observed->count; number++)
        if (observed->events[number].op == SER_OP_FREE)
            return true;
    return false;
}

/* What a step frees is freed behind the step. */
static void find_accesses_after_frees(ser_observed *observed)
{
    if (!frees_something(observed))
        return;
    bool *freed = ser_alloc((size_t)observed->variables + 1, sizeof *freed);
    observed->after_free = ser_alloc((size_t)observed->count + 1, sizeof *observed->after_free);
    for (uint32_t number = 1, first = 1; number <= observed->count; number++) {
        const ser_event *events = observed->events;
        if (ser_checked_is_access(&events[number]))
            observed->after_free[number] = freed[events[number].object];
        if (ser_observed_is_joined(observed, number))
            continue;
        for (; first <= number; first++)
            if (events[first].op == SER_OP_FREE)
                freed[events[first].object] = true;
    }
    free(freed);
}

void ser_observed_init(ser_observed *observed, const ser_event *events, uint32_t count)
{
    *observed = (ser_observed){.events = events, .count = count};
    observed->next = ser_alloc((size_t)count + 1, sizeof *observed->next);
    observed->source = ser_alloc((size_t)count + 1, sizeof *observed->source);
    observed->chain = ser_alloc((size_t)count + 1, sizeof *observed->chain);
    survey s = {.observed = observed};
    for (uint32_t number = 1; number <= count; number++) {
        if (ser_checked_op(&events[number]) == SER_OP_SKIP)
            continue;
        append_to_thread(&s, number);
        end_wait(&s, events[number].thread);
        look_at(&s, number);
    }
    observed->variables = (uint32_t)s.last_write.count;
    observed->locks = (uint32_t)s.locks.count;
    observed->conditions = (uint32_t)s.conditions.count;
    end_survey(&s);
    find_accesses_after_frees(observed);
}

void ser_observed_fini(ser_observed *observed)
{
    ser_vector_free(&observed->threads);
    free(observed->next);
    free(observed->source);
    free(observed->chain);
    free(observed->after_free);
}

bool ser_observed_pending_at(const ser_observed *observed, uint32_t wait, uint32_t event)
{
    uint32_t next = observed->next[wait];
    return wait < event && (next == 0 || next > event);
}
