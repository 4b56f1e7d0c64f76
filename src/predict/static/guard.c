/* SPDX-License-Identifier: MIT */
/*
 * The first pass finds a candidate for each variable (vote): the locks held at its first
 * access, less those not held later on. Where none would be left, the access is an
 * exception, and counts against the candidates; once there were as many exceptions as
 * accesses under them, the locks held now are the candidates. The second pass lists the
 * exceptions to the candidate that was left; where they are many, there is no guard. It is not
 * needed where no variable of several threads has exceptions, and no lock is ever held shared.
 * Both passes track which thread holds each lock exclusively, so that the list of locks that a
 * thread holds is searched only for locks that are also held shared.
 */
#include "predict/static/guard.h"

enum { CANDIDATES = 4, MOST_EXCEPTIONS = 16 };

typedef struct candidate {
    uint32_t locks[CANDIDATES];
    uint16_t count;
    bool is_used;        /* there was an access */
    bool has_exceptions; /* there may be some */
    uint32_t score;      /* accesses under them less exceptions; then exceptions */
} candidate;

/* Of a lock, as of the event that a pass looks at. */
typedef struct holder {
    uint32_t thread;     /* 1 + the one that holds it exclusively; 0: none */
    bool is_ever_shared; /* there were shared acquires */
} holder;

typedef struct finder {
    const ser_run *run;
    ser_lock_guards *guards;
    SER_VECTOR(candidate) candidates;
    SER_VECTOR(holder) holders; /* by lock */
    bool has_doubts;            /* a second pass is needed */
    const ser_outer *outer;
    ser_meter *meter;
} finder;

static void note_lock(finder *find, const ser_event *action)
{
    ser_op op = (ser_op)action->op;
    if (action->flags & SER_EVENT_INNER)
        return;
    holder *now = ser_vector_slot(&find->holders, action->object);
    if (ser_op_is_shared(op))
        now->is_ever_shared = find->has_doubts = true;
    else
        now->thread = ser_op_acquires(op) ? action->thread + 1 : 0;
}

/* Takes a pass to its next event: is it an access that blocks of other threads can meet? */
static inline bool step_to(finder *find, uint32_t event)
{
    const ser_event *now = &find->run->events[event];
    unsigned roles = ser_op_roles((ser_op)now->op);
    if (roles & (SER_READS | SER_WRITES))
        return !ser_outer_holds(find->outer, find->run, event);
    if (roles & (SER_ACQUIRES | SER_RELEASES))
        note_lock(find, now);
    return false;
}

/* There are more variables than fit into a cache: what an access a little later needs of its own is
 * fetched now. */
static inline void fetch_ahead(const finder *find, uint32_t event)
{
    enum { AHEAD = 16 };
    if (find->run->count - event < AHEAD)
        return;
    const ser_event *later = &find->run->events[event + AHEAD];
    uint32_t variable = later->object;
    if (!ser_op_is_access((ser_op)later->op) || variable >= find->candidates.count)
        return;
    __builtin_prefetch(&find->guards->variables.items[variable], 1);
    __builtin_prefetch(&find->candidates.items[variable], 1);
}

/* --- candidates ---------------------------------------------------------------- */

/* Does its thread hold the lock as a reader? Not inlined: it is seldom asked. */
static __attribute__((noinline)) bool is_shared_by(const finder *find, uint32_t event,
                                                   uint32_t lock)
{
    const ser_run *run = find->run;
    uint32_t held = ser_run_held(run, event);
    for (; held && !ser_meter_over(find->meter); held = ser_run_next_held(run, event, held))
        if (run->events[run->holds.items[held].acquire].object == lock)
            return true;
    return false;
}

static bool is_held(const finder *find, uint32_t event, uint32_t lock)
{
    const holder *now = &find->holders.items[lock];
    return now->thread == find->run->events[event].thread + 1 ||
           (now->is_ever_shared && is_shared_by(find, event, lock));
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
        vote->has_exceptions = vote->is_used;
        vote->is_used = true;
        if (vote->score == 0)
            stand_for_election(vote, find->run, event);
        else
            vote->score--;
        return;
    }
    vote->score++;
    if (left == vote->count)
        return;
    uint16_t kept = 0;
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
static ser_guard *guard_of(ser_lock_guards *guards, uint32_t variable)
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
        fetch_ahead(find, event);
        if (!step_to(find, event))
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
        if (vote->count && ser_guard_is_contested(guard)) {
            guard->lock = vote->locks[0];
            find->has_doubts |= vote->has_exceptions;
        }
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
    const ser_event *access = &find->run->events[event];
    if (find->holders.items[guard->lock].thread == access->thread + 1)
        return;
    if (!is_held(find, event, guard->lock))
        add_exception(find, guard, event);
    else if (ser_op_writes((ser_op)access->op))
        guard->shared_writes = true;
    else
        guard->shared_reads = true;
}

static void look_for_exceptions(finder *find)
{
    if (find->holders.count > 0)
        memset(find->holders.items, 0, find->holders.count * sizeof *find->holders.items);
    for (uint32_t event = 1; event <= find->run->count && !ser_meter_over(find->meter); event++) {
        fetch_ahead(find, event);
        if (!step_to(find, event))
            continue;
        ser_guard *guard = &find->guards->variables.items[find->run->events[event].object];
        if (guard->lock != SER_NO_OBJECT)
            look_at_access(find, guard, event);
    }
}

ser_lock_guards *ser_guards_create(const ser_run *run, const ser_outer *outer, ser_meter *meter)
{
    finder find = {.run = run, .outer = outer, .meter = meter};
    find.guards = ser_alloc(1, sizeof *find.guards);
    look_at_users(&find);
    elect(&find);
    ser_vector_extend(&find.guards->exceptions, 1);
    if (find.has_doubts)
        look_for_exceptions(&find);
    ser_vector_free(&find.candidates);
    ser_vector_free(&find.holders);
    return find.guards;
}

void ser_guards_destroy(ser_lock_guards *guards)
{
    if (!guards)
        return;
    ser_vector_free(&guards->variables);
    ser_vector_free(&guards->exceptions);
    free(guards);
}
