/* SPDX-License-Identifier: MIT */
/*
 * token.h - what an engine stores with every access that may matter later.
 *
 * A token is a 63-bit word that stands for the transaction of an access; 0
 * stands for one that can no longer lie on a cycle. The engine defines what tokens mean: it passes
 * a policy to the templates in cell.h and conflicts.h. These are always inlined and the policy is a
 * constant, so the calls cost nothing.
 */
#ifndef SER_MONITOR_CONFLICTS_TOKEN_H
#define SER_MONITOR_CONFLICTS_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

/* Functions that take a policy are templates: they must be inlined. */
#define SER_TEMPLATE static inline __attribute__((always_inline))

/* Why one event comes before another. */
typedef enum ser_edge_kind {
    SER_EDGE_PROGRAM_ORDER,
    SER_EDGE_VARIABLE,
    SER_EDGE_LOCK,
    SER_EDGE_FORK,
    SER_EDGE_JOIN,
    SER_EDGE_NOTIFY,
    SER_EDGE_BARRIER,
    SER_EDGE_SEMAPHORE,
} ser_edge_kind;

/* "variable", "lock", ...: names of edges in reports. */
const char *ser_edge_name(ser_edge_kind kind);

/* The name space of an edge's object. */
ser_space ser_edge_space(ser_edge_kind kind);

typedef struct ser_token_policy {
    /* May the token still matter? What is not alive is forgotten. */
    bool (*alive)(void *owner, uint64_t token);
    /* The thread of the token's transaction. */
    uint32_t (*thread_of)(void *owner, uint64_t token);
    /* One more, one less stored copy of a token. */
    void (*keep)(void *owner, uint64_t token);
    void (*drop)(void *owner, uint64_t token);
    /* The token's transaction comes before the one of the current event. */
    void (*edge)(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object);
} ser_token_policy;

#endif
