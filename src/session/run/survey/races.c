/* SPDX-License-Identifier: MIT */
/* Vector clocks, as in Djit+: one for each thread and for each thing that orders threads. */
#include "session/run/survey/races.h"

#include "base/pairmap.h"

enum { MOST_THREADS = 128 };

typedef struct last_access {
    uint32_t write, read; /* the thread's time then; 0: none */
    bool plain_write;
} last_access;

typedef struct survey {
    const ser_run *run;
    size_t threads;
    uint32_t *clocks;         /* threads * threads: each thread's clock */
    ser_pairmap numbers;      /* name space, object: 1 + number of its clock */
    SER_VECTOR(uint32_t) has; /* clocks of what orders threads, one after the other */
    ser_pairmap places;       /* variable, thread: 1 + number of its last accesses */
    SER_VECTOR(last_access) accesses;
    bool *racy;
    const bool *spun; /* by variable: all its accesses are taken for atomic ones; or NULL */
    uint32_t
        plain; /* a variable of which all accesses are taken for plain ones; or SER_NO_OBJECT */
} survey;

static uint32_t *clock_of(const survey *work, uint32_t thread)
{
    return work->clocks + thread * work->threads;
}

static void join(const survey *work, uint32_t *into, const uint32_t *from)
{
    for (size_t i = 0; i < work->threads; i++)
        if (into[i] < from[i])
            into[i] = from[i];
}

static uint32_t *clock_of_object(survey *work, ser_space space, uint32_t object)
{
    uint32_t *number = ser_pairmap_add(&work->numbers, (uint64_t)space, object, 0);
    if (*number == 0) {
        *number = (uint32_t)(work->has.count / work->threads) + 1;
        ser_vector_extend(&work->has, work->has.count + work->threads);
    }
    return &work->has.items[(*number - 1) * work->threads];
}

/* What the thread did so far is before what others do that take it there. */
static void give(survey *work, uint32_t thread, ser_space space, uint32_t object)
{
    join(work, clock_of_object(work, space, object), clock_of(work, thread));
    clock_of(work, thread)[thread]++;
}

static void take(survey *work, uint32_t thread, ser_space space, uint32_t object)
{
    join(work, clock_of(work, thread), clock_of_object(work, space, object));
}

static last_access *last_of(survey *work, uint32_t variable, uint32_t thread)
{
    uint32_t *number = ser_pairmap_add(&work->places, variable, thread, 0);
    if (*number == 0) {
        last_access none = {0};
        ser_vector_push(&work->accesses, none);
        *number = (uint32_t)work->accesses.count;
    }
    return &work->accesses.items[*number - 1];
}

/* Does the access race with the last ones of another thread? A plain read of what is written
 * atomically is not meant here: that is how programs read where the compiler's atomic operations
 * are all that they have. */
static bool races_with(const survey *work, const ser_event *event, uint32_t other, bool is_plain)
{
    uint32_t number = ser_pairmap_get(&work->places, event->object, other, 0);
    if (!number)
        return false;
    const last_access *last = &work->accesses.items[number - 1];
    uint32_t known = clock_of(work, event->thread)[other];
    bool writes = ser_op_writes((ser_op)event->op);
    return (last->write > known && ((is_plain && writes) || last->plain_write)) ||
           (writes && last->read > known && is_plain);
}

static void see_access(survey *work, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (event->object == work->plain && !ser_op_writes(op))
        return;
    bool is_atomic = ser_op_updates(op) || event->flow & SER_FLOW_ATOMIC ||
                     (work->spun && work->spun[event->object]);
    bool is_plain = event->object == work->plain || !is_atomic;
    for (uint32_t i = 0; i < work->threads && !work->racy[event->object]; i++)
        if (i != event->thread && races_with(work, event, i, is_plain))
            work->racy[event->object] = true;
    if (!is_plain && ser_op_reads(op))
        take(work, event->thread, SER_SPACE_VARIABLE, event->object);
    last_access *last = last_of(work, event->object, event->thread);
    uint32_t now = clock_of(work, event->thread)[event->thread];
    if (ser_op_reads(op))
        last->read = now;
    if (ser_op_writes(op)) {
        last->write = now;
        last->plain_write = is_plain;
    }
    if (!is_plain && ser_op_writes(op))
        give(work, event->thread, SER_SPACE_VARIABLE, event->object);
}

static void see_thread(survey *work, const ser_event *event)
{
    if (ser_op_joins((ser_op)event->op)) {
        join(work, clock_of(work, event->thread), clock_of(work, event->object));
        return;
    }
    join(work, clock_of(work, event->object), clock_of(work, event->thread));
    clock_of(work, event->thread)[event->thread]++;
}

static void see(survey *work, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    ser_space space = ser_op_space(op);
    if (ser_op_is_access(op))
        see_access(work, event);
    else if (space == SER_SPACE_THREAD)
        see_thread(work, event);
    else if (ser_op_has(op, SER_ACQUIRES | SER_AWAITS))
        take(work, event->thread, space, event->object);
    else if (ser_op_has(op, SER_RELEASES | SER_SIGNALS))
        give(work, event->thread, space, event->object);
}

static bool *find_races(const ser_run *run, const bool *spun, uint32_t plain)
{
    uint32_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE);
    survey work = {.run = run, .threads = run->threads.count, .spun = spun, .plain = plain};
    work.racy = ser_alloc((size_t)variables + 1, sizeof *work.racy);
    if (work.threads > MOST_THREADS) {
        memset(work.racy, true, variables);
        return work.racy;
    }
    work.clocks = ser_alloc(work.threads * work.threads + 1, sizeof *work.clocks);
    for (uint32_t i = 0; i < work.threads; i++)
        clock_of(&work, i)[i] = 1;
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op))
            see(&work, &run->events[i]);
    free(work.clocks);
    ser_vector_free(&work.has);
    ser_vector_free(&work.accesses);
    ser_pairmap_fini(&work.numbers);
    ser_pairmap_fini(&work.places);
    return work.racy;
}

bool *ser_races_find(const ser_run *run, const bool *spun)
{
    return find_races(run, spun, SER_NO_OBJECT);
}

bool ser_writes_race_without(const ser_run *run, uint32_t variable)
{
    bool *racy = find_races(run, NULL, variable);
    bool found = racy[variable];
    free(racy);
    return found;
}
