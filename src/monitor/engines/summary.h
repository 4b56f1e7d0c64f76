/* SPDX-License-Identifier: MIT */
/*
 * summary.h - which open transactions reach an open or ended one.
 *
 * A node stands for a transaction. For an open one, the set of transactions that reach it is a row
 * of the ancestry, exact and closed. An ended one has members: open transactions such that they and
 * their ancestors are all that reach it. A member that ends is replaced by its own members, lazily
 * (ser_summary_flatten). A transaction that ends with no members can never lie on a cycle: its node
 * is recycled at once.
 *
 * A node is named by a token: slot and generation. Tokens of earlier generations
 * are dead. Ended nodes that no token refers to are found by a scan of all tokens from time to
 * time, when many nodes are in use (ser_summary_collect): reference counts would cost more, at
 * every access.
 */
#ifndef SER_MONITOR_ENGINES_SUMMARY_H
#define SER_MONITOR_ENGINES_SUMMARY_H

#include "base/vector.h"
#include "monitor/engines/ancestry.h"

/* Below this number of nodes there is no collection. */
enum { SER_SUMMARY_FEW_NODES = 1024 };

typedef SER_VECTOR(uint64_t) ser_token_list;

typedef struct ser_summary_node {
    uint32_t generation;
    uint32_t thread;
    uint32_t row;           /* in the ancestry; SER_NO_ROW once ended */
    uint64_t first_event;   /* of the block, while it is open */
    uint64_t ended;         /* position in the order of endings */
    ser_token_list members; /* of an ended node */
    bool in_use;
    bool named;    /* found during a collection */
    bool reported; /* as a violated block */
    bool visited;  /* by flatten */
} ser_summary_node;

typedef struct ser_summary {
    ser_ancestry ancestry;
    SER_VECTOR(ser_summary_node) nodes;
    SER_VECTOR(uint32_t) unused;  /* slots of nodes */
    SER_VECTOR(uint32_t) visited; /* nodes that flatten works on */
    ser_token_list row_tokens;    /* the open node of each row */
    uint64_t *scratch;            /* a set of rows */
    uint64_t endings;
    size_t collect_at; /* number of nodes in use from which on a collection is due */
} ser_summary;

/* An all-zero ser_summary is empty and valid. */
void ser_summary_fini(ser_summary *summary);

static inline ser_summary_node *ser_summary_node_of(const ser_summary *summary, uint64_t token)
{
    return &summary->nodes.items[(uint32_t)token];
}

static inline bool ser_summary_alive(const ser_summary *summary, uint64_t token)
{
    return ser_summary_node_of(summary, token)->generation == token >> 32;
}

/* A node for a block that begins. May widen the sets of rows (ancestry.h). */
uint64_t ser_summary_open(ser_summary *summary, uint32_t thread, uint64_t first_event);

/* The block ends. The token may be dead afterwards. */
void ser_summary_close(ser_summary *summary, uint64_t token);

/* A node that has ended already and is reached by a closed, non-empty set of rows. */
uint64_t ser_summary_add_ended(ser_summary *summary, uint32_t thread, const uint64_t *closed_set);

/* Makes all members of an ended node open ones. False if none are left, and then
 * the node is gone. */
bool ser_summary_flatten(ser_summary *summary, uint64_t token);

/* Adds to a set all rows that reach the node, itself included if it is open. An
 * ended one must be flat. */
void ser_summary_add_reach(const ser_summary *summary, uint64_t token, uint64_t *set);

/* Is a collection due? `names` is the approximate number of tokens to scan: the work must be worth
 * it. */
static inline bool ser_summary_collect_due(const ser_summary *summary, size_t names)
{
    return summary->nodes.count - summary->unused.count >
           summary->collect_at + names / 4 + SER_SUMMARY_FEW_NODES;
}

/* A collection: mark the node of every token there is, then collect. */
void ser_summary_mark(ser_summary *summary, uint64_t token);
void ser_summary_collect(ser_summary *summary);

#endif
