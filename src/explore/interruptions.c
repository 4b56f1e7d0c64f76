/* SPDX-License-Identifier: MIT */
#include "explore/interruptions.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KINDS = 12, MOST_EVENTS = 1 << 20 };

enum { READS = 1, WRITES = 2 };

/* Threads that begin with the same function do the same. */
typedef struct kind {
    const char *name;
    uint32_t first, second; /* threads */
    bool has_second;
} kind;

typedef SER_VECTOR(kind) kind_list;

/* Two threads, one of which may interrupt the other. */
typedef struct thread_pair {
    const ser_run *run;
    uint32_t thread, other;
    const char *name, *other_name;
    SER_VECTOR(uint8_t) used; /* by variable: what the other does with it */
    SER_VECTOR(bool) locks;   /* that the other takes */
    uint32_t from;            /* events of the thread before it must come before the other's */
} thread_pair;

static const char *name_of(const ser_run *run, uint32_t thread)
{
    const ser_event *event = &run->events[run->threads.items[thread].events.items[0]];
    return ser_op_calls((ser_op)event->op)
               ? ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, event->object)
               : ser_symbols_location(run->symbols, event->site);
}

static void add_to_kind(kind_list *kinds, const char *name, uint32_t thread)
{
    for (size_t i = 0; i < kinds->count; i++) {
        kind *known = &kinds->items[i];
        if (strcmp(known->name, name) != 0)
            continue;
        if (!known->has_second)
            known->second = thread;
        known->has_second = true;
        return;
    }
    const kind added = {.name = name, .first = thread};
    if (kinds->count < MOST_KINDS)
        ser_vector_push(kinds, added);
}

static void see_other(thread_pair *work)
{
    const ser_run *run = work->run;
    const ser_event_list *events = &run->threads.items[work->other].events;
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &run->events[events->items[i]];
        ser_op op = (ser_op)event->op;
        if (ser_op_is_access(op))
            *ser_vector_slot(&work->used, event->object) |=
                (ser_op_reads(op) ? READS : 0) | (ser_op_writes(op) ? WRITES : 0);
        else if (ser_op_acquires(op))
            *ser_vector_slot(&work->locks, event->object) = true;
    }
}

static bool conflicts(const thread_pair *work, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (!ser_op_is_access(op) || event->object >= work->used.count || event->site == SER_NO_SITE)
        return false;
    uint8_t used = work->used.items[event->object];
    return used & WRITES || (used && ser_op_writes(op));
}

/* Before the thread takes the locks that it has taken since the access before. 0: it would keep
 * one that the other needs. */
static uint32_t find_stop(const thread_pair *work, uint32_t before, uint32_t access)
{
    const ser_run *run = work->run;
    uint32_t stop = access;
    for (uint32_t held = ser_run_held(run, access); held;
         held = ser_run_next_held(run, access, held)) {
        uint32_t acquire = run->holds.items[held].acquire, lock = run->events[acquire].object;
        if (acquire > before && acquire < stop)
            stop = acquire;
        else if (acquire < before && lock < work->locks.count && work->locks.items[lock])
            return 0;
    }
    return stop;
}

/* Does the thread wait between the two, for somebody else than the other thread? That one may then
 * be faster than the thread that was woken: who does not look again goes wrong. */
static void find_wait(const thread_pair *work, uint32_t before, ser_interruption *found)
{
    const ser_run *run = work->run;
    for (uint32_t i = before; i && i < found->stop; i = ser_run_next(run, i)) {
        uint32_t notify = run->couple[i];
        if (!ser_op_waits((ser_op)run->events[i].op) || !notify ||
            run->events[notify].thread == work->other)
            continue;
        found->wait = i;
        found->waker = run->events[notify].thread;
    }
}

/* The number of its name among the known ones. */
static uint32_t name_interruption(const thread_pair *work, ser_names *known, uint32_t before,
                                  uint32_t access)
{
    char text[2048];
    const ser_symbols *symbols = work->run->symbols;
    const ser_event *first = &work->run->events[before], *second = &work->run->events[access];
    int length =
        snprintf(text, sizeof text, "%s %s of %s, %s of %s: %s", work->name,
                 ser_symbols_location(symbols, first->site),
                 ser_symbols_name(symbols, SER_SPACE_VARIABLE, first->object),
                 ser_symbols_location(symbols, second->site),
                 ser_symbols_name(symbols, SER_SPACE_VARIABLE, second->object), work->other_name);
    size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    return ser_names_add(known, text, size);
}

static void find_in_thread(thread_pair *work, ser_names *known, ser_interruption_list *list)
{
    const ser_event_list *events = &work->run->threads.items[work->thread].events;
    const uint32_t known_before = ser_names_count(known);
    ser_interruption_list last = {0}; /* by name, from the first new one on; stop 0: the first is */
    uint32_t before = 0;
    for (size_t i = 0; i < events->count; i++) {
        uint32_t access = events->items[i];
        if (access < work->from || !conflicts(work, &work->run->events[access]))
            continue;
        ser_interruption found = {.thread = work->thread, .other = work->other};
        found.stop = before ? find_stop(work, before, access) : 0;
        find_wait(work, before, &found);
        uint32_t name = found.stop ? name_interruption(work, known, before, access) : 0;
        if (found.stop && name == known_before + last.count) {
            ser_vector_push(list, found);
            ser_vector_push(&last, ((ser_interruption){0}));
        } else if (found.stop && name >= known_before) {
            last.items[name - known_before] = found;
        }
        before = access;
    }
    for (size_t i = 0; i < last.count; i++)
        if (last.items[i].stop)
            ser_vector_push(list, last.items[i]);
    ser_vector_free(&last);
}

/* A thread that creates the other is only looked at from there on. */
static void find_in_pair(thread_pair *work, ser_names *known, ser_interruption_list *list)
{
    uint32_t fork = work->run->threads.items[work->other].fork;
    if (fork && work->run->events[fork].thread == work->thread)
        work->from = fork;
    see_other(work);
    find_in_thread(work, known, list);
    ser_vector_free(&work->used);
    ser_vector_free(&work->locks);
}

/* Of two threads of one kind each may interrupt the other: what they begin with may be handed the
 * function that they call. If they do the same, the second time has nothing new. */
static void find_between(const ser_run *run, const kind *one, const kind *other, ser_names *known,
                         ser_interruption_list *list)
{
    thread_pair work = {.run = run,
                        .thread = one->first,
                        .other = one == other ? one->second : other->first,
                        .name = one->name,
                        .other_name = other->name};
    if (one != other || one->has_second)
        find_in_pair(&work, known, list);
    if (one == other && one->has_second) {
        thread_pair reverse = {.run = run,
                               .thread = one->second,
                               .other = one->first,
                               .name = one->name,
                               .other_name = one->name};
        find_in_pair(&reverse, known, list);
    }
}

void ser_interruptions_find(const ser_run *run, ser_names *known, ser_interruption_list *list)
{
    kind_list kinds = {0};
    for (uint32_t i = 0; i < run->threads.count; i++)
        if (run->threads.items[i].events.count && run->threads.items[i].number != SER_NO_OBJECT)
            add_to_kind(&kinds, name_of(run, i), i);
    bool is_small = run->count * kinds.count < MOST_EVENTS;
    for (size_t i = 0; is_small && i < kinds.count; i++)
        for (size_t k = 0; k < kinds.count; k++)
            find_between(run, &kinds.items[i], &kinds.items[k], known, list);
    ser_vector_free(&kinds);
}
