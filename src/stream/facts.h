/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what is known of variables over all events so far: which threads use them, and under
 * which locks always. That settles most blocks without a window.
 *
 * The argument is that of the static check (predict/static/): a path leaves a block at an access
 * that another thread's can follow, and returns at one that another's can precede. While the block
 * holds a lock exclusively, no other thread can access what is accessed under that lock only. So
 * both ends of a path lie among the accesses that no lock guards which is held from the first of
 * them to the last; if there are not two, there is no path. It holds for all interleavings of the
 * events that were looked at.
 *
 * What the first thread does while it is alone, before it forks others and after it has joined
 * them, comes before or after all that others do: no block of theirs can meet it. That counts
 * apart, since a thread without a fork may come along later.
 *
 * Memory: 40 bytes per variable, and the locks that are held.
 */
#ifndef SER_STREAM_FACTS_H
#define SER_STREAM_FACTS_H

#include "base/vector.h"
#include "order/users.h"

enum { SER_MOST_GUARDS = 4 };

typedef struct ser_stream_variable {
    ser_user user, alone;             /* by the first thread while it was alone: `alone` */
    uint32_t guards[SER_MOST_GUARDS]; /* locks held at all of its accesses, in any mode; some of
                                         them, if there are more */
    uint32_t guard_count;
} ser_stream_variable;

/* A lock that a thread holds. */
typedef struct ser_fact_hold {
    uint32_t lock;
    bool is_shared;
} ser_fact_hold;

typedef SER_VECTOR(ser_fact_hold) ser_fact_holds;

typedef enum ser_thread_stage {
    SER_THREAD_NEW, /* no thread has forked it */
    SER_THREAD_FORKED,
    SER_THREAD_JOINED,
} ser_thread_stage;

typedef struct ser_facts {
    SER_VECTOR(ser_stream_variable) variables;
    SER_VECTOR(ser_fact_holds) held;     /* by thread */
    uint32_t first;                      /* 1 + the first thread; 0: there was no event */
    SER_VECTOR(ser_thread_stage) stages; /* by thread */
    size_t others;                       /* threads that were forked and not joined */
    bool has_strangers;                  /* there are threads besides the first that have no fork */
} ser_facts;

/* What a thread does in a block, as far as it matters here. */
typedef struct ser_block_action {
    uint32_t object; /* variable or lock */
    uint8_t op;
} ser_block_action;

typedef struct ser_block_actions {
    uint32_t thread;
    ser_fact_holds held; /* when the block began */
    SER_VECTOR(ser_block_action) list;
    bool is_long; /* there are too many: the list is not complete */
} ser_block_actions;

/* An all-zero ser_facts is valid. The next event, or the next ones. */
void ser_facts_add(ser_facts *facts, const ser_event *event);
void ser_facts_add_all(ser_facts *facts, const ser_event *events, size_t count);

/* The next event, where only the locks that are held when a block begins are wanted. */
void ser_facts_add_hold(ser_facts *facts, const ser_event *event);

void ser_facts_fini(ser_facts *facts);

/* A block begins with the thread's next event: actions, all zero. Then each of its events. */
void ser_block_actions_begin(ser_block_actions *actions, const ser_facts *facts, uint32_t thread);
void ser_block_actions_add(ser_block_actions *actions, const ser_event *event);
void ser_block_actions_fini(ser_block_actions *actions);

/* Is there no path out of the block and back, by the facts alone? */
bool ser_facts_settle(const ser_facts *facts, const ser_block_actions *actions);

#endif
