/* SPDX-License-Identifier: MIT */
/*
 * rendezvous.h - which events synchronise at conditions, barriers and semaphores.
 *
 * Condition: when a waiting thread makes its next event, its wait is matched with the earliest
 * notify after it that still has capacity (a notify wakes one thread, a notifyall any number). Each
 * waiting thread remembers the first notifyall after its wait; notifies are kept in a list, but
 * only as many as there are threads that could use them, so memory is O(waiting threads).
 *
 * Barrier: a round closes at its first departure, later arrivals belong to the
 * next. A departing thread belongs to the round of its last arrival since it departed
 * last; one that did not arrive (a latch) to the newest round.
 *
 * Semaphore: first in, first out; takes without a post are served by the initial count. Equal
 * consecutive posts are one entry.
 */
#ifndef SER_MONITOR_CONFLICTS_RENDEZVOUS_H
#define SER_MONITOR_CONFLICTS_RENDEZVOUS_H

#include <stddef.h>

#include "base/idmap.h"
#include "base/vector.h"
#include "monitor/conflicts/cell.h"
#include "monitor/conflicts/token.h"

/* --- tokens in a queue ---------------------------------------------------- */

typedef struct ser_token_run {
    uint64_t token;
    uint64_t count;
} ser_token_run;

typedef struct ser_token_queue {
    SER_VECTOR(ser_token_run) runs;
    size_t head; /* runs before it are used up */
} ser_token_queue;

static inline bool ser_token_queue_empty(const ser_token_queue *queue)
{
    return queue->head == queue->runs.count;
}

/* Drops the runs before the head from memory when they are the larger part. */
void ser_token_queue_compact(ser_token_queue *queue);

SER_TEMPLATE void ser_token_queue_push(const ser_token_policy *policy, void *owner,
                                       ser_token_queue *queue, uint64_t token)
{
    if (!ser_token_queue_empty(queue)) {
        ser_token_run *last = &queue->runs.items[queue->runs.count - 1];
        if (last->token && !policy->alive(owner, last->token))
            last->token = 0;
        if (last->token == token) {
            last->count++;
            return;
        }
    }
    if (token)
        policy->keep(owner, token);
    ser_vector_push(&queue->runs, ((ser_token_run){token, 1}));
}

/* An edge from the first token, which is then used up. Nothing if there is none. */
SER_TEMPLATE void ser_token_queue_serve(const ser_token_policy *policy, void *owner,
                                        ser_token_queue *queue, ser_edge_kind kind, uint32_t object)
{
    if (ser_token_queue_empty(queue))
        return;
    ser_token_run *first = &queue->runs.items[queue->head];
    ser_token_edge(policy, owner, &first->token, kind, object);
    if (--first->count == 0) {
        ser_token_store(policy, owner, &first->token, 0);
        queue->head++;
        ser_token_queue_compact(queue);
    }
}

/* --- conditions ------------------------------------------------------------ */

typedef struct ser_notify {
    uint64_t event;
    uint64_t token;
} ser_notify;

/* One wait that has not yet woken. */
typedef struct ser_wait {
    uint64_t event;
    uint32_t condition;
    ser_notify all; /* the first notifyall after it; event 0 for none */
} ser_wait;

typedef struct ser_condition {
    SER_VECTOR(ser_notify) notifies; /* by event; those that no wait has used */
    size_t fresh;                    /* how many of them came after the last notifyall */
    SER_VECTOR(uint32_t) waiting;    /* threads whose wait came after the last notifyall */
} ser_condition;

/* Index of the first notify after that event; the count if there is none. */
size_t ser_condition_first_after(const ser_condition *condition, uint64_t event);
void ser_condition_remove_notify(ser_condition *condition, size_t at);
void ser_condition_remove_waiting(ser_condition *condition, uint32_t thread);

SER_TEMPLATE void ser_condition_notify(const ser_token_policy *policy, void *owner,
                                       ser_condition *condition, uint64_t event, uint64_t token)
{
    if (condition->fresh >= condition->waiting.count)
        return; /* no wait could ever use it */
    if (token)
        policy->keep(owner, token);
    ser_vector_push(&condition->notifies, ((ser_notify){event, token}));
    condition->fresh++;
}

/* The edge from the notify that woke the thread, if one did. */
SER_TEMPLATE void ser_condition_wake(const ser_token_policy *policy, void *owner,
                                     ser_condition *condition, uint32_t thread, ser_wait *wait)
{
    if (!wait->all.event)
        ser_condition_remove_waiting(condition, thread);
    size_t at = ser_condition_first_after(condition, wait->event);
    bool single = at < condition->notifies.count &&
                  (!wait->all.event || condition->notifies.items[at].event < wait->all.event);
    ser_notify *notify = single ? &condition->notifies.items[at] : &wait->all;
    ser_token_edge(policy, owner, &notify->token, SER_EDGE_NOTIFY, wait->condition);
    if (single) {
        ser_token_store(policy, owner, &notify->token, 0);
        ser_condition_remove_notify(condition, at);
    }
    ser_token_store(policy, owner, &wait->all.token, 0);
    wait->all.event = 0;
}

/* --- barriers -------------------------------------------------------------- */

typedef struct ser_round {
    SER_VECTOR(uint64_t) tokens; /* of its arrivals; equal ones in a row stand once */
    uint32_t staying;            /* threads that have to depart from it */
    bool closed;
} ser_round;

typedef struct ser_barrier {
    SER_VECTOR(ser_round) rounds; /* in no order; those that are over are recycled */
    SER_VECTOR(uint32_t) unused;
    uint32_t newest;    /* place of the newest round plus one; 0: no thread has arrived yet */
    ser_idmap round_of; /* by thread: place plus one of the round it has to depart from, or 0 */
} ser_barrier;

/* The open round, which is made if there is none. */
ser_round *ser_barrier_open_round(ser_barrier *barrier);
void ser_barrier_fini(ser_barrier *barrier);

/* A round that all threads have left is over, unless it is the newest (a latch). */
SER_TEMPLATE void ser_barrier_end_round(const ser_token_policy *policy, void *owner,
                                        ser_barrier *barrier, uint32_t place)
{
    if (!place || place == barrier->newest)
        return;
    ser_round *round = &barrier->rounds.items[place - 1];
    if (round->staying)
        return;
    for (size_t i = 0; i < round->tokens.count; i++)
        ser_token_store(policy, owner, &round->tokens.items[i], 0);
    round->tokens.count = 0;
    round->closed = false;
    ser_vector_push(&barrier->unused, place);
}

/* A thread departs from the round it arrived at, or arrives anew. */
SER_TEMPLATE void ser_barrier_leave(const ser_token_policy *policy, void *owner,
                                    ser_barrier *barrier, uint32_t *round_of)
{
    uint32_t place = *round_of;
    if (!place)
        return;
    *round_of = 0;
    barrier->rounds.items[place - 1].staying--;
    ser_barrier_end_round(policy, owner, barrier, place);
}

SER_TEMPLATE void ser_barrier_arrive(const ser_token_policy *policy, void *owner,
                                     ser_barrier *barrier, uint32_t thread, uint64_t token)
{
    uint32_t *round_of = ser_idmap_add(&barrier->round_of, thread, 0);
    uint32_t before = barrier->newest;
    ser_barrier_leave(policy, owner, barrier, round_of);
    ser_round *round = ser_barrier_open_round(barrier);
    *round_of = barrier->newest;
    round->staying++;
    if (token && (!round->tokens.count || round->tokens.items[round->tokens.count - 1] != token)) {
        policy->keep(owner, token);
        ser_vector_push(&round->tokens, token);
    }
    ser_barrier_end_round(policy, owner, barrier, before);
}

/* Edges from the arrivals of the round; those that no longer matter are forgotten. */
SER_TEMPLATE void ser_barrier_depart(const ser_token_policy *policy, void *owner,
                                     ser_barrier *barrier, uint32_t number, uint32_t thread)
{
    uint32_t *round_of = ser_idmap_add(&barrier->round_of, thread, 0);
    uint32_t place = *round_of ? *round_of : barrier->newest;
    if (!place)
        return;
    ser_round *round = &barrier->rounds.items[place - 1];
    size_t kept = 0;
    for (size_t i = 0; i < round->tokens.count; i++) {
        uint64_t token = round->tokens.items[i];
        ser_token_edge(policy, owner, &token, SER_EDGE_BARRIER, number);
        if (token)
            round->tokens.items[kept++] = token;
    }
    round->tokens.count = kept;
    round->closed = true;
    ser_barrier_leave(policy, owner, barrier, round_of);
}

#endif
