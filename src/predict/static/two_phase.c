/* SPDX-License-Identifier: MIT */
/*
 * One pass over the accesses (look_at_access) links the threads of each contested
 * variable, and keeps for the open transaction of each thread when it has acquired the
 * last of the guards it used, and when it releases the first.
 */
#include "predict/static/two_phase.h"

/* The transaction that a thread is in. */
typedef struct phase {
    uint32_t transaction; /* its first event */
    uint32_t acquired;    /* the last acquire of a guard that it used */
    uint32_t released;    /* the first release of one; UINT32_MAX: none is released */
} phase;

typedef struct examiner {
    const ser_run *run;
    const ser_outer *outer;
    const ser_lock_guards *guards;
    ser_meter *meter;
    ser_two_phase *proof;
    phase *phases;              /* of each thread */
    SER_VECTOR(uint32_t) users; /* of each variable: 1 + a thread that accesses it */
} examiner;

static uint32_t find_group(const ser_two_phase *proof, uint32_t thread)
{
    while (proof->group[thread] != thread)
        thread = proof->group[thread] = proof->group[proof->group[thread]];
    return thread;
}

static void link_threads(ser_two_phase *proof, uint32_t a, uint32_t b)
{
    a = find_group(proof, a);
    b = find_group(proof, b);
    proof->group[a] = b;
    proof->spoilt[b] |= proof->spoilt[a];
}

static void spoil(examiner *look, uint32_t thread)
{
    look->proof->spoilt[find_group(look->proof, thread)] = true;
}

/* The acquire of the guard under which the access is made; 0: there is none that is
 * strong enough. */
static uint32_t find_hold(const examiner *look, uint32_t event, uint32_t lock)
{
    const ser_run *run = look->run;
    uint32_t found = 0, held = ser_run_held(run, event);
    for (; held && !ser_meter_over(look->meter); held = ser_run_next_held(run, event, held)) {
        uint32_t acquire = run->holds.items[held].acquire;
        if (run->events[acquire].object != lock)
            continue;
        if (!ser_op_is_shared((ser_op)run->events[acquire].op) ||
            !ser_op_writes((ser_op)run->events[event].op))
            found = acquire;
    }
    return found;
}

static phase *phase_of(examiner *look, uint32_t event)
{
    const ser_run *run = look->run;
    uint32_t block = run->block_of[event];
    uint32_t transaction = block ? run->blocks.items[block - 1].begin : event;
    phase *now = &look->phases[run->events[event].thread];
    if (now->transaction != transaction)
        *now = (phase){transaction, 0, UINT32_MAX};
    return now;
}

static void use_guard(examiner *look, uint32_t event, uint32_t acquire)
{
    phase *now = phase_of(look, event);
    uint32_t release = look->run->match[acquire];
    if (acquire > now->acquired)
        now->acquired = acquire;
    if (release && release < now->released)
        now->released = release;
    if (now->acquired > now->released)
        spoil(look, look->run->events[event].thread);
}

static void look_at_access(examiner *look, uint32_t event)
{
    const ser_event *access = &look->run->events[event];
    const ser_guard *guard = &look->guards->variables.items[access->object];
    if (!ser_guard_is_contested(guard))
        return;
    uint32_t *user = ser_vector_slot(&look->users, access->object);
    if (*user)
        link_threads(look->proof, *user - 1, access->thread);
    *user = access->thread + 1;
    uint32_t acquire = guard->lock == SER_NO_OBJECT ? 0 : find_hold(look, event, guard->lock);
    if (acquire)
        use_guard(look, event, acquire);
    else
        spoil(look, access->thread);
}

static void look_at_run(examiner *look)
{
    const ser_run *run = look->run;
    for (uint32_t event = 1; event <= run->count && !ser_meter_over(look->meter); event++) {
        if (ser_op_is_access((ser_op)run->events[event].op) &&
            !ser_outer_holds(look->outer, run, event))
            look_at_access(look, event);
    }
}

ser_two_phase *ser_two_phase_create(const ser_run *run, const ser_outer *outer,
                                    const ser_lock_guards *guards, ser_meter *meter)
{
    size_t threads = run->threads.count;
    examiner look = {.run = run, .outer = outer, .guards = guards, .meter = meter};
    look.proof = ser_alloc(1, sizeof *look.proof);
    look.proof->group = ser_alloc(threads, sizeof *look.proof->group);
    look.proof->spoilt = ser_alloc(threads, sizeof *look.proof->spoilt);
    look.phases = ser_alloc(threads, sizeof *look.phases);
    for (uint32_t i = 0; i < threads; i++)
        look.proof->group[i] = i;
    look_at_run(&look);
    /* From here on the groups are read by several threads, and must not change. */
    for (uint32_t i = 0; i < threads; i++)
        look.proof->group[i] = find_group(look.proof, i);
    ser_vector_free(&look.users);
    free(look.phases);
    return look.proof;
}

void ser_two_phase_destroy(ser_two_phase *proof)
{
    if (!proof)
        return;
    free(proof->group);
    free(proof->spoilt);
    free(proof);
}

bool ser_two_phase_proves(const ser_two_phase *proof, const ser_run *run, uint32_t block)
{
    uint32_t thread = run->blocks.items[block].thread;
    return !proof->spoilt[proof->group[thread]];
}
