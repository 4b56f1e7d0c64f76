/* SPDX-License-Identifier: MIT */
/*
 * write_programs fills the programs of all threads, construct by construct, until
 * together they are as long as wanted; then they run (program_schedule.c).
 */
#include "program_trace.h"

#include "program.h"

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

/* Where there is discipline, an access is made under the variable's lock. */
static void write_access(author *a, program *p)
{
    uint32_t variable = random_below(&a->random, a->variables);
    uint32_t lock = variable % a->locks;
    bool guarded = chance(a, a->disciplined) && !p->depth[lock] && !p->shared_depth[lock];
    ser_op op = chance(a, a->writes) ? SER_OP_WRITE : SER_OP_READ;
    if (may_use(a, PROFILE_LOCKS) && chance(a, 15))
        op = SER_OP_RMW;
    if (guarded)
        put(a, p, SER_OP_ACQUIRE, lock);
    put(a, p, op, variable);
    if (guarded)
        put(a, p, SER_OP_RELEASE, lock);
}

static void write_statements(author *a, program *p, uint32_t count, uint32_t depth);

static bool is_enough(const author *a)
{
    return a->written >= a->wanted;
}

/* From writer to reader, inside of a section: what is left of it is shared. */
static bool write_downgrade(author *a, program *p, uint32_t lock, uint32_t depth)
{
    if (p->shared_depth[lock] || !may_use(a, PROFILE_LOCKS) || !chance(a, 15))
        return false;
    put(a, p, SER_OP_SHARED_ACQUIRE, lock);
    p->shared_depth[lock]++;
    put(a, p, SER_OP_RELEASE, lock);
    p->depth[lock]--;
    write_access(a, p);
    write_statements(a, p, random_below(&a->random, 3), depth + 1);
    return true;
}

/* A section of a lock, which may be shared, become so, be within itself, or never left. */
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
    if (!shared && write_downgrade(a, p, lock, depth))
        shared = true;
    if (chance(a, a->open))
        return;
    (shared ? p->shared_depth : p->depth)[lock]--;
    put(a, p, shared ? SER_OP_SHARED_RELEASE : SER_OP_RELEASE, lock);
}

static program *any_other(author *a, const program *p)
{
    program *other;
    do
        other = &a->programs[random_below(&a->random, a->threads)];
    while (other == p);
    return other;
}

/* The lock around a wait, where there is one, is given up for it. */
static void write_wait(author *a, program *p, uint32_t condition)
{
    uint32_t lock = random_below(&a->random, a->locks);
    bool gives_up = p->depth[lock] == 1 && p->shared_depth[lock] == 0;
    if (gives_up)
        put(a, p, SER_OP_RELEASE, lock);
    put(a, p, SER_OP_WAIT, condition);
    if (gives_up)
        put(a, p, SER_OP_ACQUIRE, lock);
}

/* A thread or two that wait, and one that wakes them; some of it may be missing. */
static void write_waiting(author *a, program *p)
{
    uint32_t condition = random_below(&a->random, CONDITIONS);
    if (chance(a, 85))
        write_wait(a, p, condition);
    if (chance(a, 35))
        write_wait(a, any_other(a, p), condition);
    if (chance(a, 85))
        put(a, any_other(a, p), chance(a, 65) ? SER_OP_NOTIFY : SER_OP_NOTIFY_ALL, condition);
}

static void write_barrier(author *a, program *p)
{
    program *other = any_other(a, p);
    put(a, p, SER_OP_ARRIVE, 0);
    if (chance(a, 80))
        put(a, other, SER_OP_ARRIVE, 0);
    if (chance(a, 80))
        put(a, p, SER_OP_DEPART, 0);
    if (chance(a, 80))
        put(a, other, SER_OP_DEPART, 0);
}

static void write_semaphore(author *a, program *p)
{
    if (chance(a, 85))
        put(a, any_other(a, p), SER_OP_POST, 0);
    put(a, p, SER_OP_TAKE, 0);
}

static void write_life(author *a, program *p)
{
    uint32_t other = random_below(&a->random, a->threads);
    bool forks = a->programs[other].must_be_forked && chance(a, 60);
    put(a, p, forks ? SER_OP_FORK : SER_OP_JOIN, other);
}

static void write_synchronisation(author *a, program *p)
{
    uint32_t kind = random_below(&a->random, 5);
    if (kind == 1 && may_use(a, PROFILE_LOCKS))
        put(a, p, SER_OP_TRY_FAILED, random_below(&a->random, a->locks));
    else if (kind == 2 && a->profile == PROFILE_ALL)
        write_barrier(a, p);
    else if (kind == 3 && a->profile == PROFILE_ALL)
        write_semaphore(a, p);
    else if (kind > 0 && may_use(a, PROFILE_WAITS))
        write_waiting(a, p);
    else
        write_life(a, p);
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

/* Some thread has to start one that must be forked. */
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

static void draw_mix(author *a, const trace_limits *limits)
{
    random_source *random = &a->random;
    a->profile = limits->profile;
    a->wanted = random_between(random, limits->events_low, limits->events_high);
    a->threads = random_between(random, limits->threads_low, limits->threads_high);
    if (a->threads > 1 + a->wanted / 4)
        a->threads = limits->threads_low;
    if (a->threads > MOST_THREADS)
        a->threads = MOST_THREADS;
    a->variables = random_between(random, 1, 4);
    a->locks = random_chance(random, 50) ? 1 : random_between(random, 1, LOCKS);
    a->blocks = 20 * random_below(random, 4);
    a->sections = 15 * random_below(random, 4);
    a->writes = 30 + 15 * random_below(random, 3);
    a->guarded = 20 * random_below(random, 4);
    a->disciplined = random_chance(random, 60) ? 0 : random_between(random, 50, 100);
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
