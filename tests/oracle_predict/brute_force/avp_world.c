/* SPDX-License-Identifier: MIT */
/*
 * What may happen: the rules, one small function each. Who holds a lock and who waits is read off
 * the executed events whenever it is asked for.
 */
#include "avp_world.h"

#include <string.h>

static size_t find_last_write(const avp_world *w, size_t number)
{
    uint32_t variable = avp_event(w, number)->object;
    for (size_t i = number - 1; i > 0; i--)
        if (is_operation(&w->facts, i, SER_OP_WRITE, variable) ||
            is_operation(&w->facts, i, SER_OP_RMW, variable))
            return i;
    return 0;
}

/* The exclusive acquire that holds the lock, else the latest shared one. */
static size_t find_holder(const avp_world *w, size_t number)
{
    static const ser_op modes[] = {SER_OP_ACQUIRE, SER_OP_SHARED_ACQUIRE};
    for (size_t mode = 0; mode < 2; mode++)
        for (size_t i = number - 1; i > 0; i--)
            if (is_operation(&w->facts, i, modes[mode], avp_event(w, number)->object) &&
                still_holds(&w->facts, i, number))
                return i;
    return 0;
}

/* The thread's event after it; 0 if there is none. */
static size_t next_of(const avp_world *w, size_t number)
{
    const avp_thread *thread = &w->thread[avp_event(w, number)->thread];
    return w->eid[number] < thread->count ? thread->events[w->eid[number]] : 0;
}

static void find_source(avp_world *w, size_t number)
{
    size_t next;
    switch ((ser_op)avp_event(w, number)->op) {
    case SER_OP_READ:
    case SER_OP_RMW:
        w->source[number] = find_last_write(w, number);
        break;
    case SER_OP_TRY_FAILED:
        w->source[number] = find_holder(w, number);
        break;
    case SER_OP_WAIT:
        next = next_of(w, number);
        w->source[number] = next ? w->facts.woken_by[next] : 0;
        break;
    default:
        break;
    }
}

static void place_event(avp_world *w, size_t number)
{
    const ser_event *event = avp_event(w, number);
    avp_thread *thread = &w->thread[event->thread];
    thread->events[thread->count++] = number;
    w->eid[number] = thread->count;
    if (event->op == SER_OP_FORK)
        w->thread[event->object].fork = number;
    bool joined = number > 1 && (avp_event(w, number - 1)->flags & SER_EVENT_JOINED);
    w->step[number] = joined ? w->step[number - 1] : number;
    if ((event->flags & SER_EVENT_OPENS) && !(event->flags & SER_EVENT_STEP))
        w->blocks[w->block_count++] = (avp_block){.begin = number};
    if (avp_is_access(w, number))
        for (size_t i = 0; i < w->block_count; i++)
            w->blocks[i].accesses += w->blocks[i].begin == w->facts.transaction[number];
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool fits(avp_world *w, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (plain_op(events[i].op) == SER_OP_SKIP)
            continue;
        w->threads = larger(w->threads, events[i].thread + (size_t)1);
        if (names_thread(&events[i]))
            w->threads = larger(w->threads, events[i].object + (size_t)1);
        if (is_access(&events[i]))
            w->variables = larger(w->variables, events[i].object + (size_t)1);
    }
    return count <= AVP_MOST_EVENTS && w->threads <= AVP_MOST_THREADS &&
           w->variables <= AVP_MOST_VARIABLES;
}

bool avp_world_init(avp_world *w, const ser_event *events, size_t count, const ser_reads *reads)
{
    memset(w, 0, sizeof *w);
    w->reads = reads;
    if (!fits(w, events, count))
        return false;
    facts_init(&w->facts, events, count);
    for (size_t number = 1; number <= count; number++) {
        w->frees[number] = events[number - 1].op == SER_OP_FREE;
        if (takes_part(&w->facts, number))
            place_event(w, number);
    }
    for (size_t number = 1; number <= count; number++)
        if (takes_part(&w->facts, number))
            find_source(w, number);
    return true;
}

void avp_world_fini(avp_world *w)
{
    facts_fini(&w->facts);
}

bool avp_executed(const avp_world *w, const avp_state *s, size_t event)
{
    return w->eid[event] <= s->at[avp_event(w, event)->thread];
}

size_t avp_held_by(const avp_world *w, const avp_state *s, size_t thread, uint32_t lock,
                   bool shared)
{
    ser_op acquire = shared ? SER_OP_SHARED_ACQUIRE : SER_OP_ACQUIRE;
    ser_op release = shared ? SER_OP_SHARED_RELEASE : SER_OP_RELEASE;
    for (size_t i = s->at[thread]; i > 0; i--) {
        size_t event = w->thread[thread].events[i - 1];
        if (is_operation(&w->facts, event, acquire, lock))
            return event;
        if (is_operation(&w->facts, event, release, lock))
            return 0;
    }
    return 0;
}

static bool may_acquire(const avp_world *w, const avp_state *s, size_t number)
{
    const ser_event *event = avp_event(w, number);
    for (size_t thread = 0; thread < w->threads; thread++) {
        if (thread == event->thread)
            continue;
        if (avp_held_by(w, s, thread, event->object, false))
            return false;
        if (event->op == SER_OP_ACQUIRE && avp_held_by(w, s, thread, event->object, true))
            return false;
    }
    return true;
}

static bool may_join(const avp_world *w, const avp_state *s, size_t number)
{
    size_t child = avp_event(w, number)->object;
    size_t fork = w->thread[child].fork;
    return (!fork || avp_executed(w, s, fork)) && s->at[child] == w->thread[child].count &&
           !s->stopped[child] && !s->limit[child];
}

/* The wait of a thread, if it is in one; 0 if not. */
static size_t pending_wait(const avp_world *w, const avp_state *s, size_t thread)
{
    if (s->at[thread] == 0)
        return 0;
    size_t last = w->thread[thread].events[s->at[thread] - 1];
    return avp_event(w, last)->op == SER_OP_WAIT ? last : 0;
}

static bool was_pending(const avp_world *w, size_t wait, size_t notify)
{
    size_t next = next_of(w, wait);
    return wait < notify && (!next || notify < next);
}

/* A thread that notifies is in no wait any more. */
static bool may_notify(const avp_world *w, const avp_state *s, size_t number)
{
    for (size_t wait = 1; wait <= w->facts.count; wait++)
        if (takes_part(&w->facts, wait) && avp_event(w, wait)->op == SER_OP_WAIT &&
            w->source[wait] == number && pending_wait(w, s, avp_event(w, wait)->thread) != wait)
            return false;
    for (size_t thread = 0; thread < w->threads; thread++) {
        size_t wait = pending_wait(w, s, thread);
        if (wait && thread != avp_event(w, number)->thread &&
            avp_event(w, wait)->object == avp_event(w, number)->object &&
            !was_pending(w, wait, number))
            return false;
    }
    return true;
}

static bool may_depart(const avp_world *w, const avp_state *s, size_t number)
{
    for (size_t i = 1; i <= w->facts.count; i++)
        if (takes_part(&w->facts, i) &&
            is_operation(&w->facts, i, SER_OP_ARRIVE, avp_event(w, number)->object) &&
            w->facts.round[i] == w->facts.round[number] && !avp_executed(w, s, i))
            return false;
    return true;
}

static bool may_take(const avp_world *w, const avp_state *s, size_t number)
{
    size_t post = w->facts.post[number];
    return !post || avp_executed(w, s, post);
}

static bool operation_may_happen(const avp_world *w, const avp_state *s, size_t number)
{
    switch ((ser_op)avp_event(w, number)->op) {
    case SER_OP_ACQUIRE:
    case SER_OP_SHARED_ACQUIRE:
        return w->facts.inner[number] || may_acquire(w, s, number);
    case SER_OP_JOIN:
        return may_join(w, s, number);
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
        return may_notify(w, s, number);
    case SER_OP_DEPART:
        return may_depart(w, s, number);
    case SER_OP_TAKE:
        return may_take(w, s, number);
    default:
        return true;
    }
}

static bool is_late(const avp_world *w, size_t number)
{
    for (size_t i = number; i <= w->facts.count && w->step[i] == number; i++)
        if (avp_event(w, i)->flags & SER_EVENT_LATE)
            return true;
    return false;
}

static bool may_come_late(const avp_world *w, const avp_state *s, size_t number)
{
    if (w->reads && s->spoiled)
        return false;
    for (size_t i = 1; i < number; i++) {
        if (!takes_part(&w->facts, i))
            continue;
        size_t thread = avp_event(w, i)->thread;
        bool is_last = w->eid[i] == s->at[thread];
        if (!avp_executed(w, s, i) || (is_last && s->stopped[thread]))
            return false;
    }
    return true;
}

size_t avp_next(const avp_world *w, const avp_state *s, size_t thread)
{
    const avp_thread *t = &w->thread[thread];
    if (s->stopped[thread] || s->at[thread] == t->count)
        return 0;
    if (s->limit[thread] && s->at[thread] + 1u >= s->limit[thread])
        return 0;
    if (s->inside && s->inside != thread + 1)
        return 0;
    if (t->fork && !avp_executed(w, s, t->fork))
        return 0;
    size_t wait = pending_wait(w, s, thread);
    if (wait && w->source[wait] && !avp_executed(w, s, w->source[wait]))
        return 0;
    size_t event = t->events[s->at[thread]];
    if (is_late(w, event) && !may_come_late(w, s, event))
        return 0;
    return operation_may_happen(w, s, event) ? event : 0;
}
