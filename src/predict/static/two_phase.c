/* SPDX-License-Identifier: MIT */
/*
 * One pass over the accesses (look_at_access) links the threads of each contested
 * variable, and keeps for the open transaction of each thread when it has acquired the
 * last of the guards it used, when it releases the first, and where it has accessed a variable
 * without a guard.
 */
#include "predict/static/two_phase.h"

/* The transaction that a thread is in. */
typedef struct phase {
    uint32_t transaction; /* its first event */
    uint32_t acquired;    /* the last acquire of a guard that it used */
    uint32_t released;    /* the first release of one; UINT32_MAX: none is released */
    uint32_t bare;        /* the step that accesses variables without a guard; 0: none */
} phase;

typedef struct examiner {
    const ser_discipline_facts *facts;
    const ser_run *run;
    ser_two_phase *proof;
    phase *phases;                   /* of each thread */
    SER_VECTOR(uint32_t) users;      /* of each variable: 1 + a thread that accesses it */
    SER_VECTOR(uint8_t) disciplines; /* of each variable */
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

/* Of the event's transaction, which is a block: one access alone is at one time. */
static void find_loose(examiner *look, uint32_t event)
{
    const ser_run *run = look->run;
    uint32_t thread = run->events[event].thread, block = run->block_of[event] - 1;
    ser_event_list *own = &look->proof->loose[thread];
    look->proof->spoilt[find_group(look->proof, thread)] = true;
    if (!own->count || own->items[own->count - 1] != block)
        ser_vector_push(own, block);
}

static ser_discipline discipline_of(examiner *look, uint32_t variable)
{
    uint8_t *known = ser_vector_slot(&look->disciplines, variable);
    if (*known == SER_DISCIPLINE_NOT_ASKED)
        *known = (uint8_t)ser_discipline_of(look->facts, variable);
    return (ser_discipline)*known;
}

/* The acquire of the guard under which the access is made, of several the first one; 0: it is made
 * without it. */
static uint32_t find_hold(const examiner *look, uint32_t event, uint32_t lock)
{
    const ser_run *run = look->run;
    uint32_t found = 0, held = ser_run_held(run, event);
    for (; held && !ser_meter_over(look->facts->meter);
         held = ser_run_next_held(run, event, held)) {
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
        *now = (phase){transaction, 0, UINT32_MAX, 0};
    return now;
}

/* Is there a time at which it holds all its guards, that of its bare access if it has one? */
static bool is_two_phase(const phase *now)
{
    return now->acquired <= now->released &&
           (!now->bare || (now->acquired <= now->bare && now->bare <= now->released));
}

static void use_guard(phase *now, const ser_run *run, uint32_t acquire)
{
    uint32_t release = run->match[acquire];
    if (acquire > now->acquired)
        now->acquired = acquire;
    if (release && release < now->released)
        now->released = release;
}

/* Must the access be at the time of its transaction? */
static bool is_bare(ser_discipline discipline, ser_op op, bool is_locked)
{
    if (discipline == SER_DISCIPLINE_GUARD_BUT_READS)
        return ser_op_writes(op) || !is_locked;
    return discipline == SER_DISCIPLINE_NONE;
}

/* Of a contested variable. What must be in order anyway makes no demands. */
static void use_variable(examiner *look, uint32_t event, const ser_guard *guard)
{
    const ser_event *access = &look->run->events[event];
    ser_discipline discipline = discipline_of(look, access->object);
    bool has_guard =
        discipline == SER_DISCIPLINE_GUARD || discipline == SER_DISCIPLINE_GUARD_BUT_READS;
    uint32_t step = ser_run_step_first(look->run, event);
    uint32_t acquire = has_guard ? find_hold(look, event, guard->lock) : 0;
    phase *now = phase_of(look, event);
    bool bare = is_bare(discipline, (ser_op)access->op, acquire != 0);
    bool is_second = bare && now->bare && now->bare != step;
    if (acquire)
        use_guard(now, look->run, acquire);
    if (bare)
        now->bare = step;
    if (is_second || !is_two_phase(now))
        find_loose(look, event);
}

static void look_at_access(examiner *look, uint32_t event)
{
    const ser_event *access = &look->run->events[event];
    const ser_guard *guard = &look->facts->guards->variables.items[access->object];
    if (!ser_guard_is_contested(guard))
        return;
    uint32_t *user = ser_vector_slot(&look->users, access->object);
    if (*user)
        link_threads(look->proof, *user - 1, access->thread);
    *user = access->thread + 1;
    use_variable(look, event, guard);
}

static void look_at_run(examiner *look)
{
    const ser_run *run = look->run;
    for (uint32_t event = 1; event <= run->count && !ser_meter_over(look->facts->meter); event++) {
        if (ser_op_is_access((ser_op)run->events[event].op) &&
            !ser_outer_holds(look->facts->outer, run, event))
            look_at_access(look, event);
    }
}

ser_two_phase *ser_two_phase_create(const ser_discipline_facts *facts)
{
    size_t threads = facts->run->threads.count;
    examiner look = {.facts = facts, .run = facts->run};
    look.proof = ser_alloc(1, sizeof *look.proof);
    look.proof->group = ser_alloc(threads, sizeof *look.proof->group);
    look.proof->spoilt = ser_alloc(threads, sizeof *look.proof->spoilt);
    look.proof->run = facts->run;
    look.proof->order = facts->order;
    look.proof->threads = (uint32_t)threads;
    look.proof->loose = ser_alloc(threads, sizeof *look.proof->loose);
    look.phases = ser_alloc(threads, sizeof *look.phases);
    for (uint32_t i = 0; i < threads; i++)
        look.proof->group[i] = i;
    look_at_run(&look);
    /* From here on the groups are read by several threads, and must not change. */
    for (uint32_t i = 0; i < threads; i++)
        look.proof->group[i] = find_group(look.proof, i);
    ser_vector_free(&look.users);
    ser_vector_free(&look.disciplines);
    free(look.phases);
    return look.proof;
}

void ser_two_phase_destroy(ser_two_phase *proof)
{
    if (!proof)
        return;
    for (uint32_t i = 0; i < proof->threads; i++)
        ser_vector_free(&proof->loose[i]);
    free(proof->loose);
    free(proof->group);
    free(proof->spoilt);
    free(proof);
}

/* --- blocks beside loose ones ----------------------------------------------------------------- */

/* Must all of the one come before anything of the other? */
static bool is_before(const ser_two_phase *proof, uint32_t block, uint32_t later)
{
    const ser_run_block *blocks = proof->run->blocks.items;
    return blocks[block].end &&
           ser_discipline_precedes(proof->order, blocks[block].end, blocks[later].begin);
}

/* Can one of the thread's loose blocks be under way while the block is? They come in the order of
 * the thread: only the first that may end after the block has begun needs to be looked at. */
static bool may_overlap(const ser_two_phase *proof, uint32_t block, uint32_t thread)
{
    const ser_event_list *loose = &proof->loose[thread];
    size_t low = 0, high = loose->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(proof, loose->items[middle], block))
            low = middle + 1;
        else
            high = middle;
    }
    return low < loose->count && !is_before(proof, block, loose->items[low]);
}

static bool is_loose(const ser_two_phase *proof, uint32_t block)
{
    const ser_event_list *own = &proof->loose[proof->run->blocks.items[block].thread];
    size_t low = 0, high = own->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (own->items[middle] < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < own->count && own->items[low] == block;
}

bool ser_two_phase_proves(const ser_two_phase *proof, uint32_t block)
{
    uint32_t thread = proof->run->blocks.items[block].thread, group = proof->group[thread];
    if (!proof->spoilt[group])
        return true;
    if (!proof->order || is_loose(proof, block))
        return false;
    for (uint32_t i = 0; i < proof->threads; i++)
        if (i != thread && proof->group[i] == group && may_overlap(proof, block, i))
            return false;
    return true;
}
