/* SPDX-License-Identifier: MIT */
/*
 * cell.h - the last accesses of one variable or lock.
 *
 * A cell remembers the last exclusive access (a write, an exclusive release) and
 * the shared ones since (reads, shared releases), the last one of each thread.
 * This is enough: earlier accesses are already ordered before these. Two words
 * suffice for most cells; several shared accesses of different threads go to a
 * list, sorted by thread, in a pool that recycles lists. Accesses whose token is
 * no longer alive are forgotten on the way.
 *
 * Cost: O(1) for one thread, O(log n) to find among n shared accesses.
 */
#ifndef SER_MONITOR_CONFLICTS_CELL_H
#define SER_MONITOR_CONFLICTS_CELL_H

#include "base/vector.h"
#include "monitor/conflicts/token.h"

typedef struct ser_cell {
    uint64_t exclusive; /* token, 0 for none */
    uint64_t shared;    /* 0, a token, or SER_CELL_LIST plus the number of a list */
} ser_cell;

#define SER_CELL_LIST (UINT64_C(1) << 63)

typedef struct ser_shared_access {
    uint64_t token;
    uint32_t thread;
} ser_shared_access;

typedef SER_VECTOR(ser_shared_access) ser_shared_list;

typedef struct ser_cell_pool {
    SER_VECTOR(ser_shared_list) lists;
    SER_VECTOR(uint32_t) unused;
} ser_cell_pool;

void ser_cell_pool_fini(ser_cell_pool *pool);

/* The number of an empty list; its memory may be recycled. */
uint32_t ser_cell_pool_take(ser_cell_pool *pool);
void ser_cell_pool_return(ser_cell_pool *pool, uint32_t number);

/* Where an access of that thread stands or belongs in a list sorted by thread. */
size_t ser_shared_list_find(const ser_shared_list *list, uint32_t thread);
void ser_shared_list_insert(ser_shared_list *list, size_t at, ser_shared_access access);

static inline bool ser_cell_has_list(const ser_cell *cell)
{
    return cell->shared & SER_CELL_LIST;
}

static inline ser_shared_list *ser_cell_list(ser_cell_pool *pool, const ser_cell *cell)
{
    return &pool->lists.items[cell->shared & ~SER_CELL_LIST];
}

/* Sets *place to token, keeping count of the copies. */
SER_TEMPLATE void ser_token_store(const ser_token_policy *policy, void *owner, uint64_t *place,
                                  uint64_t token)
{
    if (*place == token)
        return;
    if (token)
        policy->keep(owner, token);
    if (*place)
        policy->drop(owner, *place);
    *place = token;
}

/* An edge from the token at *place, which is forgotten if it is not alive. */
SER_TEMPLATE void ser_token_edge(const ser_token_policy *policy, void *owner, uint64_t *place,
                                 ser_edge_kind kind, uint32_t object)
{
    if (!*place)
        return;
    if (policy->alive(owner, *place))
        policy->edge(owner, *place, kind, object);
    else
        *place = 0;
}

SER_TEMPLATE void ser_cell_edge_from_exclusive(const ser_token_policy *policy, void *owner,
                                               ser_cell *cell, ser_edge_kind kind, uint32_t object)
{
    ser_token_edge(policy, owner, &cell->exclusive, kind, object);
}

SER_TEMPLATE void ser_cell_edges_from_shared(const ser_token_policy *policy, void *owner,
                                             ser_cell_pool *pool, ser_cell *cell,
                                             ser_edge_kind kind, uint32_t object)
{
    if (!ser_cell_has_list(cell)) {
        ser_token_edge(policy, owner, &cell->shared, kind, object);
        return;
    }
    ser_shared_list *list = ser_cell_list(pool, cell);
    for (size_t i = 0; i < list->count; i++)
        ser_token_edge(policy, owner, &list->items[i].token, kind, object);
}

SER_TEMPLATE void ser_cell_clear_shared(const ser_token_policy *policy, void *owner,
                                        ser_cell_pool *pool, ser_cell *cell)
{
    if (!ser_cell_has_list(cell)) {
        ser_token_store(policy, owner, &cell->shared, 0);
        return;
    }
    ser_shared_list *list = ser_cell_list(pool, cell);
    for (size_t i = 0; i < list->count; i++)
        ser_token_store(policy, owner, &list->items[i].token, 0);
    ser_cell_pool_return(pool, (uint32_t)(cell->shared & ~SER_CELL_LIST));
    cell->shared = 0;
}

/* A new exclusive access: it comes after all others, which are forgotten. */
SER_TEMPLATE void ser_cell_set_exclusive(const ser_token_policy *policy, void *owner,
                                         ser_cell_pool *pool, ser_cell *cell, uint64_t token)
{
    ser_token_store(policy, owner, &cell->exclusive, token);
    if (cell->shared)
        ser_cell_clear_shared(policy, owner, pool, cell);
}

/* Removes accesses that can no longer matter. */
SER_TEMPLATE void ser_shared_list_purge(const ser_token_policy *policy, void *owner,
                                        ser_shared_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint64_t token = list->items[i].token;
        if (token && policy->alive(owner, token))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

SER_TEMPLATE void ser_shared_list_add(const ser_token_policy *policy, void *owner,
                                      ser_shared_list *list, uint32_t thread, uint64_t token)
{
    size_t at = ser_shared_list_find(list, thread);
    if (at < list->count && list->items[at].thread == thread) {
        ser_token_store(policy, owner, &list->items[at].token, token);
        return;
    }
    if (!token)
        return;
    if (list->count == list->capacity) {
        ser_shared_list_purge(policy, owner, list);
        at = ser_shared_list_find(list, thread);
    }
    policy->keep(owner, token);
    ser_shared_list_insert(list, at, (ser_shared_access){token, thread});
}

/* A new shared access of the thread replaces the one it made before. */
SER_TEMPLATE void ser_cell_add_shared(const ser_token_policy *policy, void *owner,
                                      ser_cell_pool *pool, ser_cell *cell, uint32_t thread,
                                      uint64_t token)
{
    if (cell->shared == token)
        return;
    if (!ser_cell_has_list(cell)) {
        uint64_t old = cell->shared;
        if (old && policy->alive(owner, old) && policy->thread_of(owner, old) != thread) {
            if (!token)
                return;
            uint32_t number = ser_cell_pool_take(pool);
            ser_shared_access moved = {old, policy->thread_of(owner, old)};
            ser_shared_list_insert(&pool->lists.items[number], 0, moved);
            cell->shared = SER_CELL_LIST | number;
        } else {
            ser_token_store(policy, owner, &cell->shared, token);
            return;
        }
    }
    ser_shared_list_add(policy, owner, ser_cell_list(pool, cell), thread, token);
}

/* Forgets the shared access of a thread. */
SER_TEMPLATE void ser_cell_remove_shared(const ser_token_policy *policy, void *owner,
                                         ser_cell_pool *pool, ser_cell *cell, uint32_t thread)
{
    if (ser_cell_has_list(cell)) {
        ser_shared_list_add(policy, owner, ser_cell_list(pool, cell), thread, 0);
        return;
    }
    uint64_t token = cell->shared;
    if (token && (!policy->alive(owner, token) || policy->thread_of(owner, token) == thread))
        ser_token_store(policy, owner, &cell->shared, 0);
}

#endif
