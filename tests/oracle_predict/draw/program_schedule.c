/* SPDX-License-Identifier: MIT */
/*
 * The scheduler of random programs; run_programs is the loop. A statement that cannot
 * happen yet (a lock is taken, nobody posted) is tried again later; a try that would
 * not fail is left out.
 */
#include "program.h"

static bool has_other_holder(const author *a, uint32_t thread, uint32_t lock, bool shared_too)
{
    for (uint32_t t = 0; t < a->threads; t++)
        if (t != thread &&
            (a->programs[t].depth[lock] || (shared_too && a->programs[t].shared_depth[lock])))
            return true;
    return false;
}

static bool somebody_waits(const author *a, uint32_t condition)
{
    for (uint32_t t = 0; t < a->threads; t++) {
        const program *p = &a->programs[t];
        if (p->waiting && p->statements[p->at - 1].object == condition)
            return true;
    }
    return false;
}

static bool is_on_trace(const author *a, ser_op op, uint32_t object)
{
    for (size_t i = 0; i < a->events->count; i++)
        if (plain_op(a->events->items[i].op) == op && a->events->items[i].object == object)
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
        return random_chance(&a->random, 20) ? NEVER : NOT_YET;
    case SER_OP_FORK:
        return look_at_fork(a, thread, next.object);
    case SER_OP_JOIN:
        return look_at_join(a, thread, next.object);
    case SER_OP_DEPART:
        return is_on_trace(a, SER_OP_ARRIVE, next.object) ? READY : NEVER;
    case SER_OP_TAKE:
        return is_on_trace(a, SER_OP_POST, next.object) || random_chance(&a->random, 10) ? READY
                                                                                         : NOT_YET;
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
        return somebody_waits(a, next.object) || random_chance(&a->random, 10) ? READY : NOT_YET;
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
    return !p->waiting || p->notified || random_chance(&a->random, 5);
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
    ser_event event = {.thread = thread,
                       .object = next.object,
                       .site = SER_NO_SITE,
                       .op = any_like(next.op, &a->random)};
    ser_vector_push(a->events, event);
    take_effect(a, p, next);
}

void run_programs(author *a)
{
    uint32_t thread = 0;
    for (size_t tries = 0; tries < 60 * a->wanted; tries++) {
        if (!random_chance(&a->random, a->stick))
            thread = random_below(&a->random, a->threads);
        run_thread(a, thread);
    }
}
