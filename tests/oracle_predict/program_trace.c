/* SPDX-License-Identifier: MIT */
/*
 * write_programs fills the programs of all threads, construct by construct, until
 * together they are as long as wanted; run_programs interleaves them. A statement that cannot
 * happen yet (a lock is taken, nobody posted) is tried again later; a try that would not fail is
 * left out.
 */
#include "program_trace.h"

#include "random.h"

enum { MOST_THREADS = 5, MOST_STATEMENTS = 48, LOCKS = 3, CONDITIONS = 2 };

typedef struct statement {
    ser_op op;
    uint32_t object;
} statement;

typedef struct program {
    statement statements[MOST_STATEMENTS];
    size_t count, at;
    uint32_t depth[LOCKS], shared_depth[LOCKS]; /* while it is written, then while it runs */
    bool must_be_forked, forked, joined;
    bool waiting, notified;
} program;

typedef struct author {
    random_source random;
    trace_profile profile;
    program programs[MOST_THREADS];
    uint32_t threads, variables, locks;
    /* Chances in percent. */
    uint32_t blocks, sections, writes, guarded, synchronised, open, stick;
    event_list *events;
    size_t wanted, written; /* statements */
} author;

static bool chance(author *a, uint32_t percent)
{
    return random_chance(&a->random, percent);
}

static bool may_use(const author *a, trace_profile profile)
{
    return a->profile == profile || a->profile == PROFILE_ALL;
}

static void put(author *a, program *p, ser_op op, uint32_t object)
{
    if (p->count == MOST_STATEMENTS)
        return;
    p->statements[p->count++] = (statement){op, object};
    a->written++;
}

static void write_access(author *a, program *p)
{
    ser_op op = chance(a, a->writes) ? SER_OP_WRITE : SER_OP_READ;
    if (may_use(a, PROFILE_LOCKS) && chance(a, 15))
        op = SER_OP_RMW;
    put(a, p, op, random_below(&a->random, a->variables));
}

static void write_statements(author *a, program *p, uint32_t count, uint32_t depth);

static bool is_enough(const author *a)
{
    return a->written >= a->wanted;
}

/* A section of a lock, which may be shared, within itself, or never left. */
static void write_section(author *a, program *p, uint32_t depth)
{
    uint32_t lock = random_below(&a->random, a->locks);
    bool shared = may_use(a, PROFILE_LOCKS) && chance(a, 25);
    if (shared)
        p->shared_depth[lock]++;
    else if (p->shared_depth[lock])
        return; /* no way from reader to writer */
    else
        p->depth[lock]++;
    put(a, p, shared ? SER_OP_SHARED_ACQUIRE : SER_OP_ACQUIRE, lock);
    write_access(a, p);
    write_statements(a, p, random_below(&a->random, 3), depth + 1);
    if (chance(a, a->open))
        return;
    (shared ? p->shared_depth : p->depth)[lock]--;
    put(a, p, shared ? SER_OP_SHARED_RELEASE : SER_OP_RELEASE, lock);
}

/* The lock around a wait, where there is one, is given up for it. */
static void write_wait(author *a, program *p)
{
    uint32_t lock = random_below(&a->random, a->locks);
    bool gives_up = p->depth[lock] == 1 && p->shared_depth[lock] == 0;
    if (gives_up)
        put(a, p, SER_OP_RELEASE, lock);
    put(a, p, SER_OP_WAIT, random_below(&a->random, CONDITIONS));
    if (gives_up)
        put(a, p, SER_OP_ACQUIRE, lock);
}

static void write_meeting(author *a, program *p)
{
    switch (random_below(&a->random, 4)) {
    case 0:
        put(a, p, SER_OP_POST, 0);
        break;
    case 1:
        put(a, p, SER_OP_TAKE, 0);
        break;
    case 2:
        put(a, p, SER_OP_DEPART, 0);
        break;
    default:
        put(a, p, SER_OP_ARRIVE, 0);
        if (chance(a, 70))
            put(a, p, SER_OP_DEPART, 0);
        break;
    }
}

static void write_synchronisation(author *a, program *p)
{
    if (may_use(a, PROFILE_WAITS) && chance(a, 60)) {
        if (chance(a, 45))
            write_wait(a, p);
        else
            put(a, p, chance(a, 70) ? SER_OP_NOTIFY : SER_OP_NOTIFY_ALL,
                random_below(&a->random, CONDITIONS));
    } else if (may_use(a, PROFILE_LOCKS) && chance(a, 60)) {
        put(a, p, SER_OP_TRY_FAILED, random_below(&a->random, a->locks));
    } else if (a->profile == PROFILE_ALL) {
        write_meeting(a, p);
    } else {
        uint32_t other = random_below(&a->random, a->threads);
        put(a, p, a->programs[other].must_be_forked && chance(a, 60) ? SER_OP_FORK : SER_OP_JOIN,
            other);
    }
}

/* A block needs two accesses to be violated. */
static void write_block(author *a, program *p, uint32_t depth)
{
    put(a, p, SER_OP_BEGIN, SER_NO_OBJECT);
    if (chance(a, a->guarded)) {
        write_section(a, p, depth + 1);
        write_statements(a, p, random_below(&a->random, 3), depth + 1);
    } else {
        write_access(a, p);
        write_statements(a, p, random_between(&a->random, 0, 3), depth + 1);
        write_access(a, p);
    }
    if (!chance(a, a->open))
        put(a, p, SER_OP_END, SER_NO_OBJECT);
}

static void write_statements(author *a, program *p, uint32_t count, uint32_t depth)
{
    for (; count > 0 && !is_enough(a); count--) {
        if (chance(a, depth == 0 ? a->blocks : 3))
            write_block(a, p, depth);
        else if (depth < 4 && chance(a, a->sections))
            write_section(a, p, depth);
        else if (chance(a, a->synchronised))
            write_synchronisation(a, p);
        else
            write_access(a, p);
    }
}

static void write_programs(author *a)
{
    write_block(a, &a->programs[random_below(&a->random, a->threads)], 0);
    while (!is_enough(a))
        write_statements(a, &a->programs[random_below(&a->random, a->threads)], 1, 0);
    for (uint32_t t = 0; t < a->threads; t++) {
        memset(a->programs[t].depth, 0, sizeof a->programs[t].depth);
        memset(a->programs[t].shared_depth, 0, sizeof a->programs[t].shared_depth);
    }
}

/* Somebody has to start a thread that must be forked. */
static void write_fork(author *a, uint32_t child)
{
    uint32_t parent = random_below(&a->random, a->threads);
    program *p = &a->programs[parent];
    if (parent == child || p->count == MOST_STATEMENTS) {
        a->programs[child].must_be_forked = false;
        return;
    }
    size_t at = random_below(&a->random, (uint32_t)p->count / 2 + 1);
    memmove(p->statements + at + 1, p->statements + at, (p->count - at) * sizeof *p->statements);
    p->statements[at] = (statement){SER_OP_FORK, child};
    p->count++;
}

static bool has_other_holder(const author *a, uint32_t thread, uint32_t lock, bool shared_too)
{
    for (uint32_t t = 0; t < a->threads; t++)
        if (t != thread &&
            (a->programs[t].depth[lock] || (shared_too && a->programs[t].shared_depth[lock])))
            return true;
    return false;
}

static bool is_on_trace(const author *a, ser_op op, uint32_t object)
{
    for (size_t i = 0; i < a->events->count; i++)
        if (a->events->items[i].op == op && a->events->items[i].object == object)
            return true;
    return false;
}

static bool has_begun(const author *a, uint32_t thread)
{
    for (size_t i = 0; i < a->events->count; i++)
        if (a->events->items[i].thread == thread)
            return true;
    return false;
}

typedef enum readiness { READY, NOT_YET, NEVER } readiness;

static readiness look_at_fork(const author *a, uint32_t thread, uint32_t child)
{
    const program *c = &a->programs[child];
    return child == thread || c->forked || c->joined || !c->must_be_forked || has_begun(a, child)
               ? NEVER
               : READY;
}

/* Threads are also joined that never ran, or that others have joined. */
static readiness look_at_join(const author *a, uint32_t thread, uint32_t child)
{
    const program *c = &a->programs[child];
    if (child == thread || (c->must_be_forked && !c->forked))
        return NEVER;
    return c->at == c->count ? READY : NOT_YET;
}

static readiness look_at_statement(author *a, uint32_t thread)
{
    const program *p = &a->programs[thread];
    statement next = p->statements[p->at];
    switch (next.op) {
    case SER_OP_ACQUIRE:
        return has_other_holder(a, thread, next.object, true) ? NOT_YET : READY;
    case SER_OP_SHARED_ACQUIRE:
        return has_other_holder(a, thread, next.object, false) ? NOT_YET : READY;
    case SER_OP_TRY_FAILED:
        if (has_other_holder(a, thread, next.object, true))
            return READY;
        return chance(a, 20) ? NEVER : NOT_YET;
    case SER_OP_FORK:
        return look_at_fork(a, thread, next.object);
    case SER_OP_JOIN:
        return look_at_join(a, thread, next.object);
    case SER_OP_DEPART:
        return is_on_trace(a, SER_OP_ARRIVE, next.object) ? READY : NEVER;
    case SER_OP_TAKE:
        return is_on_trace(a, SER_OP_POST, next.object) || chance(a, 20) ? READY : NOT_YET;
    default:
        return READY;
    }
}

static void notify(author *a, uint32_t condition)
{
    for (uint32_t t = 0; t < a->threads; t++) {
        program *p = &a->programs[t];
        if (p->waiting && p->statements[p->at - 1].object == condition)
            p->notified = true;
    }
}

static void take_effect(author *a, program *p, statement done)
{
    p->waiting = done.op == SER_OP_WAIT;
    p->notified = false;
    switch (done.op) {
    case SER_OP_ACQUIRE:
        p->depth[done.object]++;
        break;
    case SER_OP_RELEASE:
        p->depth[done.object]--;
        break;
    case SER_OP_SHARED_ACQUIRE:
        p->shared_depth[done.object]++;
        break;
    case SER_OP_SHARED_RELEASE:
        p->shared_depth[done.object]--;
        break;
    case SER_OP_FORK:
        a->programs[done.object].forked = true;
        break;
    case SER_OP_JOIN:
        a->programs[done.object].joined = true;
        break;
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
        notify(a, done.object);
        break;
    default:
        break;
    }
}

/* Most waits are ended by a notify, some by themselves. */
static bool can_run(author *a, const program *p)
{
    if (p->at == p->count || p->joined || (p->must_be_forked && !p->forked))
        return false;
    return !p->waiting || p->notified || chance(a, 5);
}

static void run_thread(author *a, uint32_t thread)
{
    program *p = &a->programs[thread];
    if (!can_run(a, p))
        return;
    readiness ready = look_at_statement(a, thread);
    if (ready == NOT_YET)
        return;
    statement next = p->statements[p->at++];
    if (ready == NEVER)
        return;
    ser_event event = {
        .thread = thread, .object = next.object, .site = SER_NO_SITE, .op = (uint8_t)next.op};
    ser_vector_push(a->events, event);
    take_effect(a, p, next);
}

static void run_programs(author *a)
{
    uint32_t thread = 0;
    for (size_t tries = 0; tries < 60 * a->wanted; tries++) {
        if (!chance(a, a->stick))
            thread = random_below(&a->random, a->threads);
        run_thread(a, thread);
    }
}

static void draw_mix(author *a, const trace_limits *limits)
{
    random_source *random = &a->random;
    a->profile = limits->profile;
    a->wanted = random_between(random, limits->events_low, limits->events_high);
    a->threads = random_between(random, limits->threads_low, limits->threads_high);
    if (a->threads > 1 + a->wanted / 4)
        a->threads = limits->threads_low;
    a->variables = random_between(random, 1, 4);
    a->locks = random_between(random, 1, LOCKS);
    a->blocks = 20 * random_below(random, 4);
    a->sections = 15 * random_below(random, 4);
    a->writes = 30 + 15 * random_below(random, 3);
    a->guarded = 20 * random_below(random, 4);
    a->synchronised = 10 * random_below(random, 4);
    a->open = random_chance(random, 30) ? 15 : 0;
    a->stick = 45 * random_below(random, 3);
    uint32_t forked = 30 * random_below(random, 3);
    for (uint32_t t = 1; t < a->threads; t++)
        a->programs[t].must_be_forked = random_chance(random, forked);
}

void program_trace(event_list *events, const trace_limits *limits, uint64_t seed)
{
    author *a = ser_alloc(1, sizeof *a);
    a->random.state = seed;
    a->events = events;
    draw_mix(a, limits);
    write_programs(a);
    for (uint32_t t = 1; t < a->threads; t++)
        if (a->programs[t].must_be_forked)
            write_fork(a, t);
    run_programs(a);
    free(a);
}
