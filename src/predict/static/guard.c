/* SPDX-License-Identifier: MIT */
/*
 * The first pass finds a candidate for each variable (vote): the locks held at its first
 * access, less those not held later on. Where none would be left, the access is an
 * exception, and counts against the candidates; once there were as many exceptions as
 * accesses under them, the locks held now are the candidates. The second pass lists the
 * exceptions to the candidate that was left; where they are many, there is no guard.
 */
#include "predict/static/guard.h"

enum { CANDIDATES = 4, MOST_EXCEPTIONS = 16 };

typedef struct candidate {
    uint32_t locks[CANDIDATES];
    uint32_t count;
    uint32_t score; /* accesses under them less exceptions; then exceptions */
} candidate;

typedef struct finder {
    const ser_run *run;
    ser_guards *guards;
    SER_VECTOR(candidate) candidates;
    const ser_outer *outer;
    ser_meter *meter;
} finder;

/* Is it an access that blocks of other threads can meet? */
static bool counts(const finder *find, uint32_t event)
{
    const ser_event *access = &find->run->events[event];
    return ser_op_is_access((ser_op)access->op) && !ser_outer_holds(find->outer, find->run, event);
}

/* --- candidates ---------------------------------------------------------------- */

static bool is_held(const finder *find, uint32_t event, uint32_t lock)
{
    const ser_run *run = find->run;
    uint32_t held = ser_run_held(run, event);
    for (; held && !ser_meter_over(find->meter); held = ser_run_next_held(run, event, held))
        if (run->events[run->holds.items[held].acquire].object == lock)
            return true;
    return false;
}

static void stand_for_election(candidate *vote, const ser_run *run, uint32_t event)
{
    vote->count = 0;
    vote->score = 1;
    uint32_t held = ser_run_held(run, event);
    for (; held && vote->count < CANDIDATES; held = ser_run_next_held(run, event, held))
        vote->locks[vote->count++] = run->events[run->holds.items[held].acquire].object;
}

static void cast_vote(const finder *find, candidate *vote, uint32_t event)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < vote->count; i++)
        left += is_held(find, event, vote->locks[i]);
    if (left == 0) {
        if (vote->score == 0)
            stand_for_election(vote, find->run, event);
        else
            vote->score--;
        return;
    }
    vote->score++;
    if (left == vote->count)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < vote->count; i++)
        if (is_held(find, event, vote->locks[i]))
            vote->locks[kept++] = vote->locks[i];
    vote->count = kept;
}

static void add_user(uint32_t *users, uint32_t thread)
{
    if (*users == SER_GUARD_NOBODY)
        *users = thread;
    else if (*users != thread)
        *users = SER_GUARD_SEVERAL;
}

/* A variable's guard, which is made if it is not there. */
static ser_guard *guard_of(ser_guards *guards, uint32_t variable)
{
    static const ser_guard unused = {
        .readers = SER_GUARD_NOBODY, .writers = SER_GUARD_NOBODY, .lock = SER_NO_OBJECT};
    while (guards->variables.count <= variable)
        ser_vector_push(&guards->variables, unused);
    return &guards->variables.items[variable];
}

static void look_at_users(finder *find)
{
    for (uint32_t event = 1; event <= find->run->count && !ser_meter_over(find->meter); event++) {
        const ser_event *access = &find->run->events[event];
        if (!counts(find, event))
            continue;
        ser_guard *guard = guard_of(find->guards, access->object);
        add_user(ser_op_writes((ser_op)access->op) ? &guard->writers : &guard->readers,
                 access->thread);
        cast_vote(find, ser_vector_slot(&find->candidates, access->object), event);
    }
}

static void elect(finder *find)
{
    for (size_t i = 0; i < find->candidates.count; i++) {
        candidate *vote = &find->candidates.items[i];
        ser_guard *guard = &find->guards->variables.items[i];
        if (vote->count && ser_guard_is_contested(guard))
            guard->lock = vote->locks[0];
        vote->score = 0;
    }
}

/* --- exceptions ------------------------------------------------------------------ */

static void add_exception(finder *find, ser_guard *guard, uint32_t event)
{
    candidate *vote = &find->candidates.items[find->run->events[event].object];
    if (++vote->score > MOST_EXCEPTIONS) {
        guard->lock = SER_NO_OBJECT;
        return;
    }
    ser_vector_push(&find->guards->exceptions, ((ser_guard_exception){event, guard->exceptions}));
    guard->exceptions = (uint32_t)find->guards->exceptions.count - 1;
}

static void look_at_access(finder *find, ser_guard *guard, uint32_t event)
{
    const ser_run *run = find->run;
    bool shared = false;
    uint32_t held = ser_run_held(run, event);
    for (; held && !ser_meter_over(find->meter); held = ser_run_next_held(run, event, held)) {
        const ser_event *acquire = &run->events[run->holds.items[held].acquire];
        if (acquire->object != guard->lock)
            continue;
        if (!ser_op_is_shared((ser_op)acquire->op))
            return;
        shared = true;
    }
    if (!shared)
        add_exception(find, guard, event);
    else if (ser_op_writes((ser_op)run->events[event].op))
        guard->shared_writes = true;
    else
        guard->shared_reads = true;
}

static void look_for_exceptions(finder *find)
{
    ser_vector_extend(&find->guards->exceptions, 1);
    for (uint32_t event = 1; event <= find->run->count && !ser_meter_over(find->meter); event++) {
        if (!counts(find, event))
            continue;
        ser_guard *guard = &find->guards->variables.items[find->run->events[event].object];
        if (guard->lock != SER_NO_OBJECT)
            look_at_access(find, guard, event);
    }
}

ser_guards *ser_guards_create(const ser_run *run, const ser_outer *outer, ser_meter *meter)
{
    finder find = {.run = run, .outer = outer, .meter = meter};
    find.guards = ser_alloc(1, sizeof *find.guards);
    look_at_users(&find);
    elect(&find);
    look_for_exceptions(&find);
    ser_vector_free(&find.candidates);
    return find.guards;
}

void ser_guards_destroy(ser_guards *guards)
{
    if (!guards)
        return;
    ser_vector_free(&guards->variables);
    ser_vector_free(&guards->exceptions);
    free(guards);
}
