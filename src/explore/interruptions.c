/* SPDX-License-Identifier: MIT */
#include "explore/interruptions.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KINDS = 12, MOST_EVENTS = 1 << 20, MOST_TIMES = 64 };

enum { READS = 1, WRITES = 2 };

/* Threads that begin with the same function do the same. */
typedef struct kind {
    const char *name;
    uint32_t first, second; /* threads */
    bool has_second;
} kind;

typedef SER_VECTOR(kind) kind_list;

/* Events of a thread, by their numbers: from <= event < until. */
typedef struct span {
    uint32_t from, until;
} span;

/* Two threads, one of which may interrupt the other. */
typedef struct thread_pair {
    const ser_run *run;
    uint32_t thread, other;
    const char *name, *other_name;
    SER_VECTOR(uint8_t) used; /* by variable: what the other does with it */
    SER_VECTOR(uint8_t) seen; /* by variable: what the thread has done with it so far */
    SER_VECTOR(bool) locks;   /* that the other takes */
} thread_pair;

/* How often a thread has come to the same two places, and where it stops the last time. */
typedef struct repetition {
    uint32_t times;
    ser_interruption last;
} repetition;

typedef SER_VECTOR(repetition) repetition_list; /* by the number of the name */

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

/* What a thread does while another one exists: after it has created that one, and until it has
 * seen its end. */
static span find_shared_time(const ser_run *run, uint32_t thread, uint32_t other)
{
    span time = {.until = run->count + 1};
    uint32_t fork = run->threads.items[other].fork;
    if (fork && run->events[fork].thread == thread)
        time.from = fork;
    const ser_event_list *events = &run->threads.items[thread].events;
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &run->events[events->items[i]];
        if (ser_op_joins((ser_op)event->op) && event->object == other) {
            time.until = events->items[i];
            break;
        }
    }
    return time;
}

static bool is_within(span time, uint32_t event)
{
    return time.from <= event && event < time.until;
}

static uint8_t uses_of(ser_op op)
{
    return (uint8_t)((ser_op_reads(op) ? READS : 0) | (ser_op_writes(op) ? WRITES : 0));
}

static void see_other(thread_pair *work)
{
    const ser_run *run = work->run;
    const ser_event_list *events = &run->threads.items[work->other].events;
    const span time = find_shared_time(run, work->other, work->thread);
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &run->events[events->items[i]];
        ser_op op = (ser_op)event->op;
        if (!is_within(time, events->items[i]))
            continue;
        if (ser_op_is_access(op))
            *ser_vector_slot(&work->used, event->object) |= uses_of(op);
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

/* Has the thread used the variable before, so that what the other does with it comes between? */
static bool is_split(const thread_pair *work, const ser_event *event)
{
    if (!conflicts(work, event) || event->object >= work->seen.count)
        return false;
    uint8_t seen = work->seen.items[event->object];
    return seen && (work->used.items[event->object] & WRITES ||
                    (seen & WRITES && ser_op_writes((ser_op)event->op)));
}

/* Of all that the thread does under the lock before which it stops. */
static bool splits(const thread_pair *work, uint32_t stop, uint32_t access)
{
    const ser_run *run = work->run;
    uint32_t release = stop < access ? run->match[stop] : 0;
    for (uint32_t i = access; i; i = ser_run_next(run, i)) {
        if (is_split(work, &run->events[i]))
            return true;
        if (i >= release)
            break;
    }
    return false;
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

/* The last time is worth a try of its own, and another one in each run that comes there more or
 * less often: it is then another round of the loop. */
static void add_last(const repetition_list *repetitions, ser_names *known,
                     ser_interruption_list *list)
{
    for (uint32_t i = 0; i < repetitions->count; i++) {
        const repetition *here = &repetitions->items[i];
        char text[32];
        if (here->times < 2)
            continue;
        uint32_t times = here->times < MOST_TIMES ? here->times : MOST_TIMES;
        int length = snprintf(text, sizeof text, "%u times %u", times, i);
        uint32_t count = ser_names_count(known);
        if (ser_names_add(known, text, (size_t)length) == count)
            ser_vector_push(list, here->last);
    }
}

static void note_interruption(const thread_pair *work, uint32_t before, uint32_t access,
                              ser_names *known, repetition_list *repetitions,
                              ser_interruption_list *list)
{
    ser_interruption found = {.thread = work->thread, .other = work->other};
    found.stop = find_stop(work, before, access);
    if (!found.stop)
        return;
    found.splits = splits(work, found.stop, access);
    find_wait(work, before, &found);
    uint32_t count = ser_names_count(known);
    uint32_t name = name_interruption(work, known, before, access);
    if (name == count)
        ser_vector_push(list, found);
    repetition *here = ser_vector_slot(repetitions, name);
    here->times++;
    here->last = found;
}

static void find_in_thread(thread_pair *work, ser_names *known, ser_interruption_list *list)
{
    const ser_event_list *events = &work->run->threads.items[work->thread].events;
    const span time = find_shared_time(work->run, work->thread, work->other);
    repetition_list repetitions = {0};
    uint32_t before = 0;
    for (size_t i = 0; i < events->count; i++) {
        uint32_t access = events->items[i];
        const ser_event *event = &work->run->events[access];
        if (!is_within(time, access) || !conflicts(work, event))
            continue;
        if (before)
            note_interruption(work, before, access, known, &repetitions, list);
        *ser_vector_slot(&work->seen, event->object) |= uses_of((ser_op)event->op);
        before = access;
    }
    add_last(&repetitions, known, list);
    ser_vector_free(&repetitions);
}

static void find_in_pair(thread_pair *work, ser_names *known, ser_interruption_list *list)
{
    see_other(work);
    find_in_thread(work, known, list);
    ser_vector_free(&work->used);
    ser_vector_free(&work->seen);
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
