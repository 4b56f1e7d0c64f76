/* SPDX-License-Identifier: MIT */
/*
 * couples.h - finds, while a run is loaded, which events belong together: the reads-from edges and
 * the like (`couple` in run.h), and the partners of acquires, arrivals and notifies (`match`).
 */
#ifndef SER_ORDER_COUPLES_H
#define SER_ORDER_COUPLES_H

#include "order/run.h"

/* The threads that hold a lock shared, each with its acquire. */
typedef struct ser_shared_hold {
    uint32_t thread, acquire;
} ser_shared_hold;

typedef struct ser_lock_holds {
    uint32_t exclusive; /* the acquire that holds the lock; 0 for none */
    SER_VECTOR(ser_shared_hold) shared;
} ser_lock_holds;

/* The list of locks that a thread holds. */
typedef struct ser_thread_holds {
    uint32_t list;
    uint32_t held, released; /* how many of them, and how many in the list are released */
} ser_thread_holds;

typedef struct ser_barrier_round {
    uint32_t first, last; /* its arrivals, chained by match */
    bool closed;
} ser_barrier_round;

typedef struct ser_barrier_rounds {
    SER_VECTOR(ser_barrier_round) rounds;
    SER_VECTOR(uint32_t) round_of; /* 1 + round of each thread's last arrival; 0: it left */
} ser_barrier_rounds;

/* The notifies of a condition that still have capacity and that a waiting thread
 * may have been woken by, by number. */
typedef struct ser_notifies {
    ser_event_list list;
    size_t waiting; /* threads that have not woken yet */
} ser_notifies;

typedef struct ser_post_queue {
    ser_event_list posts;
    size_t used;
} ser_post_queue;

typedef struct ser_couples {
    SER_VECTOR(uint32_t) last_writes; /* of each variable */
    SER_VECTOR(ser_lock_holds) locks;
    SER_VECTOR(ser_barrier_rounds) barriers;
    SER_VECTOR(ser_notifies) conditions;
    SER_VECTOR(ser_post_queue) semaphores;
    SER_VECTOR(uint32_t) waits;        /* the wait each thread has not yet woken from, or 0 */
    SER_VECTOR(ser_thread_holds) held; /* of each thread */
} ser_couples;

/* An all-zero ser_couples is valid. */
void ser_couples_fini(ser_couples *couples);

/* Fills couple and match of the run's newest event, and of what it completes. */
void ser_couples_find(ser_couples *couples, ser_run *run, uint32_t event);

#endif
