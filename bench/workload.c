/* SPDX-License-Identifier: MIT */
/*
 * Simulates the threads: workload_run lets a random thread take a burst of
 * steps, until its burst is over or it meets a lock that another one holds.
 *
 * No transaction is started once the steps that running ones still have to take
 * fill the trace, so its length comes out within one transaction.
 */
#include "workload.h"

#include "scenario.h"

const char *const workload_shape_names[SHAPE_COUNT] = {"two-phase", "open-main", "read-shared",
                                                       "nested", "unary"};

enum { NOBODY = UINT32_MAX, MAIN = 0 };

typedef struct lock_state {
    uint32_t holder, depth;
} lock_state;

typedef struct thread_state {
    const transaction_type *type; /* NULL: between transactions */
    uint32_t position;            /* of its next step */
    uint32_t locks[MOST_LOCKS];
    uint32_t variables[MOST_SLOTS];
} thread_state;

typedef struct simulation {
    const workload_options *options;
    random_source random;
    workload_sink sink;
    void *context;
    type_list types;
    lock_state *locks;
    thread_state *threads;
    uint32_t *active; /* threads that are not finished, in any order */
    uint32_t active_count;
    uint64_t made;    /* events so far */
    uint32_t planted; /* violations so far */
    uint64_t pending; /* steps that running transactions still have to take, and joins */
} simulation;

static void emit(simulation *s, uint32_t thread, ser_op op, uint32_t object, uint32_t site)
{
    ser_event event = {.thread = thread, .object = object, .site = site, .op = (uint8_t)op};
    s->sink(s->context, &event);
    s->made++;
}

/* --- transactions ---------------------------------------------------------- */

static void sort_ascending(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i; j > 0 && numbers[j - 1] > numbers[j]; j--) {
            uint32_t larger = numbers[j - 1];
            numbers[j - 1] = numbers[j];
            numbers[j] = larger;
        }
    }
}

static void choose_locks(simulation *s, thread_state *thread)
{
    uint32_t chosen = 0;
    while (chosen < thread->type->locks) {
        uint32_t lock = random_below(&s->random, s->options->locks);
        bool again = false;
        for (uint32_t i = 0; i < chosen; i++)
            again |= thread->locks[i] == lock;
        if (!again)
            thread->locks[chosen++] = lock;
    }
    sort_ascending(thread->locks, chosen);
}

/* Variables v, v + locks, v + 2 locks, ... are guarded by lock v. */
static uint32_t choose_variable(simulation *s, uint32_t lock)
{
    uint32_t locks = s->options->locks;
    uint32_t guarded = (s->options->variables - lock + locks - 1) / locks;
    return lock + locks * random_below(&s->random, guarded);
}

static bool start_transaction(simulation *s, thread_state *thread)
{
    uint32_t index = random_below(&s->random, (uint32_t)s->types.count);
    const transaction_type *type = &s->types.items[index];
    if (s->made + s->pending >= s->options->events)
        return false;
    thread->type = type;
    thread->position = 0;
    choose_locks(s, thread);
    for (uint32_t i = 0; i < type->slots; i++)
        thread->variables[i] = choose_variable(s, thread->locks[type->guards[i]]);
    s->pending += type->steps.count;
    return true;
}

static bool take_lock(simulation *s, uint32_t thread, uint32_t lock)
{
    lock_state *state = &s->locks[lock];
    if (state->depth > 0 && state->holder != thread)
        return false;
    state->holder = thread;
    state->depth++;
    return true;
}

static uint32_t operand_of(const thread_state *thread, const step *next)
{
    switch ((ser_op)next->op) {
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
        return thread->locks[next->index];
    case SER_OP_READ:
    case SER_OP_WRITE:
        return thread->variables[next->index];
    default:
        return SER_NO_OBJECT;
    }
}

/* False if the thread has to wait for a lock. */
static bool take_step(simulation *s, uint32_t number)
{
    thread_state *thread = &s->threads[number];
    const step *next = &thread->type->steps.items[thread->position];
    uint32_t operand = operand_of(thread, next);
    if (next->op == SER_OP_ACQUIRE && !take_lock(s, number, operand))
        return false;
    if (next->op == SER_OP_RELEASE)
        s->locks[operand].depth--;
    emit(s, number, (ser_op)next->op, operand, next->site);
    s->pending--;
    if (++thread->position == thread->type->steps.count)
        thread->type = NULL;
    return true;
}

/* --- scheduling ------------------------------------------------------------ */

static uint32_t draw_burst(simulation *s)
{
    return random_between(&s->random, 1, 2 * s->options->burst - 1);
}

/* An active thread between transactions, other than `not`; NOBODY if there is none. */
static uint32_t find_idle(const simulation *s, uint32_t not )
{
    for (uint32_t i = 0; i < s->active_count; i++)
        if (!s->threads[s->active[i]].type && s->active[i] != not )
            return s->active[i];
    return NOBODY;
}

/* The next planted violation, once its part of the run has come and two threads are free for it. */
static void plant(simulation *s)
{
    const workload_options *o = s->options;
    uint64_t due = o->events / (o->planted + 1) * (s->planted + 1);
    if (s->planted == o->planted || s->made < due)
        return;
    uint32_t one = find_idle(s, NOBODY), other = one == NOBODY ? NOBODY : find_idle(s, one);
    uint32_t variable = o->variables + s->planted;
    if (other == NOBODY)
        return;
    emit(s, one, SER_OP_BEGIN, SER_NO_OBJECT, 8 % o->locations);
    emit(s, one, SER_OP_READ, variable, 9 % o->locations);
    emit(s, one, SER_OP_WRITE, variable, 10 % o->locations);
    emit(s, one, SER_OP_END, SER_NO_OBJECT, 11 % o->locations);
    emit(s, other, SER_OP_WRITE, variable, 12 % o->locations);
    s->planted++;
}

static void run_transactions(simulation *s)
{
    while (s->active_count > 0) {
        if (s->options->planted)
            plant(s);
        uint32_t place = random_below(&s->random, s->active_count);
        uint32_t number = s->active[place];
        for (uint32_t burst = draw_burst(s); burst > 0; burst--) {
            if (!s->threads[number].type && !start_transaction(s, &s->threads[number])) {
                s->active[place] = s->active[--s->active_count];
                break;
            }
            if (!take_step(s, number))
                break;
        }
    }
}

static void fork_all(simulation *s)
{
    for (uint32_t t = 1; t < s->options->threads; t++)
        emit(s, MAIN, SER_OP_FORK, t, 0);
}

static void join_all(simulation *s)
{
    for (uint32_t t = 1; t < s->options->threads; t++)
        emit(s, MAIN, SER_OP_JOIN, t, 1 % s->options->locations);
}

static void activate_from(simulation *s, uint32_t first)
{
    s->active_count = 0;
    for (uint32_t t = first; t < s->options->threads; t++)
        s->active[s->active_count++] = t;
}

static void write_all(simulation *s)
{
    for (uint32_t v = 0; v < s->options->variables; v++)
        emit(s, MAIN, SER_OP_WRITE, v, 2 % s->options->locations);
}

/* The main thread's block comes before every other, and ends after all. */
static void run_under_open_block(simulation *s)
{
    emit(s, MAIN, SER_OP_BEGIN, SER_NO_OBJECT, 3 % s->options->locations);
    write_all(s);
    activate_from(s, 1);
    run_transactions(s);
    emit(s, MAIN, SER_OP_END, SER_NO_OBJECT, 4 % s->options->locations);
}

/*
 * Long blocks read in a window of the variables that moves on; the main thread
 * writes what has fallen out of it, which nobody reads again. So every write
 * meets the reads of many open blocks, and none of them is violated.
 */
static void run_readers(simulation *s)
{
    const workload_options *o = s->options;
    uint32_t width = o->variables / 4 + 1;
    uint64_t pause = o->events / o->variables + 1; /* events between two writes */
    uint32_t written = 0;
    uint32_t *left = ser_alloc(o->threads, sizeof *left); /* reads until the block ends */
    while (s->made + s->pending + o->threads < o->events) {
        uint32_t t = 1 + random_below(&s->random, o->threads - 1);
        for (uint32_t burst = draw_burst(s); burst > 0; burst--) {
            if (left[t] == 0) {
                emit(s, t, SER_OP_BEGIN, SER_NO_OBJECT, 5 % o->locations);
                left[t] = random_between(&s->random, 200, 2000);
            }
            emit(s, t, SER_OP_READ, written + random_below(&s->random, width), t % o->locations);
            if (--left[t] == 0)
                emit(s, t, SER_OP_END, SER_NO_OBJECT, 6 % o->locations);
        }
        if (written + width < o->variables && s->made / pause > written)
            emit(s, MAIN, SER_OP_WRITE, written++, 7 % o->locations);
    }
    for (uint32_t t = 1; t < o->threads; t++)
        if (left[t])
            emit(s, t, SER_OP_END, SER_NO_OBJECT, 6 % o->locations);
    free(left);
}

void workload_run(const workload_options *options, workload_sink sink, void *context)
{
    simulation s = {.options = options, .sink = sink, .context = context};
    s.random.state = options->seed;
    s.locks = ser_alloc(options->locks, sizeof *s.locks);
    s.threads = ser_alloc(options->threads, sizeof *s.threads);
    s.active = ser_alloc(options->threads, sizeof *s.active);
    s.pending = options->threads - 1; /* the joins */
    make_types(&s.types, options, &s.random);

    fork_all(&s);
    if (options->shape == SHAPE_OPEN_MAIN) {
        run_under_open_block(&s);
    } else if (options->shape == SHAPE_READ_SHARED) {
        run_readers(&s);
    } else {
        activate_from(&s, MAIN);
        run_transactions(&s);
    }
    join_all(&s);

    free_types(&s.types);
    free(s.locks);
    free(s.threads);
    free(s.active);
}
