/* SPDX-License-Identifier: MIT */
/*
 * conflicts.h - which earlier accesses come directly before an event.
 *
 * The only definition of conflicts: accesses of one variable that
 * are not both reads; a release and a later acquire of one lock, unless both are
 * shared; a failed try-acquire with the acquires that hold the lock and with its
 * next release; fork and the child's first event, the child's last event and
 * join; a notify and the next step of the thread it woke; a barrier's arrivals
 * and its departures; a post and the wait it served. Only the last such accesses
 * are remembered, which is enough for every path (cell.h). For each event (except skips) an engine
 * calls, in this order,
 *
 *     ser_conflicts_enter     edges into the thread (fork, wake-up)
 *     ser_conflicts_gather    edges into the event
 *     ser_conflicts_record    remembers the event under the engine's token
 *
 * Engines handle program order themselves, but the token of each thread's last event is kept here,
 * since join needs it.
 *
 * Memory: O(variables + locks + shared accesses that are alive).
 */
#ifndef SER_MONITOR_CONFLICTS_CONFLICTS_H
#define SER_MONITOR_CONFLICTS_CONFLICTS_H

#include "base/vector.h"
#include "monitor/conflicts/cell.h"
#include "monitor/conflicts/rendezvous.h"
#include "trace/event.h"

typedef struct ser_conflict_lock {
    ser_cell released; /* the last releases */
    ser_cell held;     /* the acquires that hold it now */
    ser_cell tried;    /* failed tries since the last release, as shared accesses */
} ser_conflict_lock;

enum { SER_PENDING_FORK = 1, SER_PENDING_WAIT = 2 };

typedef struct ser_conflict_thread {
    uint64_t last;   /* token of the thread's last event */
    uint64_t fork;   /* token of its fork, until its first event */
    ser_wait wait;   /* what it waits for, with SER_PENDING_WAIT */
    uint8_t pending; /* SER_PENDING_*: what its next event has to take care of */
} ser_conflict_thread;

typedef struct ser_conflicts {
    SER_VECTOR(ser_cell) variables;
    SER_VECTOR(ser_conflict_lock) locks;
    SER_VECTOR(ser_conflict_thread) threads;
    SER_VECTOR(ser_condition) conditions;
    SER_VECTOR(ser_barrier) barriers;
    SER_VECTOR(ser_token_queue) semaphores;
    ser_cell_pool pool;
} ser_conflicts;

/* An all-zero ser_conflicts is empty and valid. */
void ser_conflicts_fini(ser_conflicts *conflicts);

/* Calls visit for every token that is stored, and for some zeroes. */
void ser_conflicts_visit(const ser_conflicts *conflicts,
                         void (*visit)(void *context, uint64_t token), void *context);

static inline ser_conflict_thread *ser_conflicts_thread(ser_conflicts *conflicts, uint32_t thread)
{
    return ser_vector_slot(&conflicts->threads, thread);
}

/* Edges from what let the thread take this step: its fork, the notify that woke it. */
SER_TEMPLATE void ser_conflicts_enter(ser_conflicts *conflicts, const ser_token_policy *policy,
                                      void *owner, uint32_t number)
{
    ser_conflict_thread *thread = ser_conflicts_thread(conflicts, number);
    if (__builtin_expect(!thread->pending, 1))
        return;
    if (thread->pending & SER_PENDING_FORK) {
        ser_token_edge(policy, owner, &thread->fork, SER_EDGE_FORK, number);
        ser_token_store(policy, owner, &thread->fork, 0);
    }
    if (thread->pending & SER_PENDING_WAIT) {
        ser_condition *condition = &conflicts->conditions.items[thread->wait.condition];
        ser_condition_wake(policy, owner, condition, number, &thread->wait);
    }
    thread->pending = 0;
}

SER_TEMPLATE void ser_conflicts_gather_lock(ser_conflicts *conflicts,
                                            const ser_token_policy *policy, void *owner,
                                            const ser_event *event)
{
    ser_conflict_lock *lock = ser_vector_slot(&conflicts->locks, event->object);
    ser_op op = (ser_op)event->op;
    ser_cell *cell = ser_op_tests(op) ? &lock->held : &lock->released;
    if (ser_op_releases(op)) {
        ser_cell_edges_from_shared(policy, owner, &conflicts->pool, &lock->tried, SER_EDGE_LOCK,
                                   event->object);
        ser_cell_clear_shared(policy, owner, &conflicts->pool, &lock->tried);
        return;
    }
    ser_cell_edge_from_exclusive(policy, owner, cell, SER_EDGE_LOCK, event->object);
    if (!ser_op_is_shared(op))
        ser_cell_edges_from_shared(policy, owner, &conflicts->pool, cell, SER_EDGE_LOCK,
                                   event->object);
}

/* Edges from the accesses that this event conflicts with. */
SER_TEMPLATE void ser_conflicts_gather(ser_conflicts *conflicts, const ser_token_policy *policy,
                                       void *owner, const ser_event *event)
{
    uint32_t object = event->object;
    ser_op op = (ser_op)event->op;
    if (ser_op_is_access(op)) { /* as most events are */
        ser_cell *cell = ser_vector_slot(&conflicts->variables, object);
        ser_cell_edge_from_exclusive(policy, owner, cell, SER_EDGE_VARIABLE, object);
        if (ser_op_writes(op))
            ser_cell_edges_from_shared(policy, owner, &conflicts->pool, cell, SER_EDGE_VARIABLE,
                                       object);
        return;
    }
    switch (ser_op_space(op)) {
    case SER_SPACE_LOCK:
        if (!(event->flags & SER_EVENT_INNER))
            ser_conflicts_gather_lock(conflicts, policy, owner, event);
        break;
    case SER_SPACE_THREAD:
        if (ser_op_has(op, SER_AWAITS))
            ser_token_edge(policy, owner, &ser_conflicts_thread(conflicts, object)->last,
                           SER_EDGE_JOIN, object);
        break;
    case SER_SPACE_BARRIER:
        if (ser_op_has(op, SER_AWAITS))
            ser_barrier_depart(policy, owner, ser_vector_slot(&conflicts->barriers, object), object,
                               event->thread);
        break;
    case SER_SPACE_SEMAPHORE:
        if (ser_op_has(op, SER_AWAITS))
            ser_token_queue_serve(policy, owner, ser_vector_slot(&conflicts->semaphores, object),
                                  SER_EDGE_SEMAPHORE, object);
        break;
    default:
        break;
    }
}

/* Gather and record in one, for a read or write whose token is known before. */
SER_TEMPLATE void ser_conflicts_access(ser_conflicts *conflicts, const ser_token_policy *policy,
                                       void *owner, const ser_event *event, uint64_t token)
{
    uint32_t object = event->object;
    ser_cell *cell = ser_vector_slot(&conflicts->variables, object);
    ser_cell_edge_from_exclusive(policy, owner, cell, SER_EDGE_VARIABLE, object);
    if (!ser_op_writes((ser_op)event->op)) {
        ser_cell_add_shared(policy, owner, &conflicts->pool, cell, event->thread, token);
        return;
    }
    ser_cell_edges_from_shared(policy, owner, &conflicts->pool, cell, SER_EDGE_VARIABLE, object);
    ser_cell_set_exclusive(policy, owner, &conflicts->pool, cell, token);
}

SER_TEMPLATE void ser_conflicts_record_lock(ser_conflicts *conflicts,
                                            const ser_token_policy *policy, void *owner,
                                            const ser_event *event, uint64_t token)
{
    ser_conflict_lock *lock = ser_vector_slot(&conflicts->locks, event->object);
    ser_cell_pool *pool = &conflicts->pool;
    ser_op op = (ser_op)event->op;
    if (ser_op_tests(op)) {
        ser_cell_add_shared(policy, owner, pool, &lock->tried, event->thread, token);
    } else if (ser_op_acquires(op) && ser_op_is_shared(op)) {
        ser_cell_add_shared(policy, owner, pool, &lock->held, event->thread, token);
    } else if (ser_op_acquires(op)) {
        ser_token_store(policy, owner, &lock->held.exclusive, token);
    } else if (ser_op_is_shared(op)) {
        ser_cell_remove_shared(policy, owner, pool, &lock->held, event->thread);
        ser_cell_add_shared(policy, owner, pool, &lock->released, event->thread, token);
    } else {
        ser_token_store(policy, owner, &lock->held.exclusive, 0);
        ser_cell_set_exclusive(policy, owner, pool, &lock->released, token);
    }
}

/* Every thread that waits and has met no notifyall yet has met this one. */
SER_TEMPLATE void ser_conflicts_notify_all(ser_conflicts *conflicts, const ser_token_policy *policy,
                                           void *owner, ser_condition *condition, uint64_t number,
                                           uint64_t token)
{
    for (size_t i = 0; i < condition->waiting.count; i++) {
        ser_conflict_thread *waiter = &conflicts->threads.items[condition->waiting.items[i]];
        waiter->wait.all.event = number;
        ser_token_store(policy, owner, &waiter->wait.all.token, token);
    }
    condition->waiting.count = 0;
    condition->fresh = 0;
}

SER_TEMPLATE void ser_conflicts_record_wait(ser_conflicts *conflicts, const ser_event *event,
                                            uint64_t number)
{
    ser_condition *condition = ser_vector_slot(&conflicts->conditions, event->object);
    ser_conflict_thread *thread = &conflicts->threads.items[event->thread];
    thread->wait = (ser_wait){.event = number, .condition = event->object};
    thread->pending |= SER_PENDING_WAIT;
    ser_vector_push(&condition->waiting, event->thread);
}

SER_TEMPLATE void ser_conflicts_record_condition(ser_conflicts *conflicts,
                                                 const ser_token_policy *policy, void *owner,
                                                 const ser_event *event, uint64_t number,
                                                 uint64_t token)
{
    ser_condition *condition = ser_vector_slot(&conflicts->conditions, event->object);
    ser_op op = (ser_op)event->op;
    if (ser_op_has(op, SER_AWAITS))
        ser_conflicts_record_wait(conflicts, event, number);
    else if (ser_op_has(op, SER_ALL))
        ser_conflicts_notify_all(conflicts, policy, owner, condition, number, token);
    else
        ser_condition_notify(policy, owner, condition, number, token);
}

/* Remembers the event, number `number` of the trace, under its token. */
SER_TEMPLATE void ser_conflicts_record(ser_conflicts *conflicts, const ser_token_policy *policy,
                                       void *owner, const ser_event *event, uint64_t number,
                                       uint64_t token)
{
    uint32_t object = event->object;
    ser_token_store(policy, owner, &conflicts->threads.items[event->thread].last, token);
    ser_op op = (ser_op)event->op;
    if (ser_op_is_access(op)) {
        ser_cell *cell = &conflicts->variables.items[object];
        if (ser_op_writes(op))
            ser_cell_set_exclusive(policy, owner, &conflicts->pool, cell, token);
        else
            ser_cell_add_shared(policy, owner, &conflicts->pool, cell, event->thread, token);
        return;
    }
    switch (ser_op_space(op)) {
    case SER_SPACE_LOCK:
        if (!(event->flags & SER_EVENT_INNER))
            ser_conflicts_record_lock(conflicts, policy, owner, event, token);
        break;
    case SER_SPACE_THREAD:
        if (ser_op_forks(op)) {
            ser_conflict_thread *child = ser_conflicts_thread(conflicts, object);
            ser_token_store(policy, owner, &child->fork, token);
            child->pending |= SER_PENDING_FORK;
        }
        break;
    case SER_SPACE_CONDITION:
        ser_conflicts_record_condition(conflicts, policy, owner, event, number, token);
        break;
    case SER_SPACE_BARRIER:
        if (ser_op_has(op, SER_SIGNALS))
            ser_barrier_arrive(policy, owner, ser_vector_slot(&conflicts->barriers, object),
                               event->thread, token);
        break;
    case SER_SPACE_SEMAPHORE:
        if (ser_op_has(op, SER_SIGNALS))
            ser_token_queue_push(policy, owner, ser_vector_slot(&conflicts->semaphores, object),
                                 token);
        break;
    default:
        break;
    }
}

#endif
