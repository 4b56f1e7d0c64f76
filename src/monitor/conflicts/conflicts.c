/* SPDX-License-Identifier: MIT */
#include "monitor/conflicts/conflicts.h"

void ser_conflicts_fini(ser_conflicts *conflicts)
{
    for (size_t i = 0; i < conflicts->conditions.count; i++) {
        ser_vector_free(&conflicts->conditions.items[i].notifies);
        ser_vector_free(&conflicts->conditions.items[i].waiting);
    }
    for (size_t i = 0; i < conflicts->barriers.count; i++)
        ser_barrier_fini(&conflicts->barriers.items[i]);
    for (size_t i = 0; i < conflicts->semaphores.count; i++)
        ser_vector_free(&conflicts->semaphores.items[i].runs);
    ser_vector_free(&conflicts->variables);
    ser_vector_free(&conflicts->locks);
    ser_vector_free(&conflicts->threads);
    ser_vector_free(&conflicts->conditions);
    ser_vector_free(&conflicts->barriers);
    ser_vector_free(&conflicts->semaphores);
    ser_cell_pool_fini(&conflicts->pool);
}

typedef struct visitor {
    void (*visit)(void *context, uint64_t token);
    void *context;
} visitor;

/* All lists of shared accesses are visited at once, in their pool. */
static void visit_cell(const visitor *to, const ser_cell *cell)
{
    to->visit(to->context, cell->exclusive);
    if (!ser_cell_has_list(cell))
        to->visit(to->context, cell->shared);
}

static void visit_pool(const visitor *to, const ser_cell_pool *pool)
{
    for (size_t i = 0; i < pool->lists.count; i++)
        for (size_t j = 0; j < pool->lists.items[i].count; j++)
            to->visit(to->context, pool->lists.items[i].items[j].token);
}

static void visit_thread(const visitor *to, const ser_conflict_thread *thread)
{
    to->visit(to->context, thread->last);
    to->visit(to->context, thread->fork);
    to->visit(to->context, thread->wait.all.token);
}

static void visit_rounds(const visitor *to, const ser_barrier *barrier)
{
    for (size_t i = 0; i < barrier->rounds.count; i++)
        for (size_t j = 0; j < barrier->rounds.items[i].tokens.count; j++)
            to->visit(to->context, barrier->rounds.items[i].tokens.items[j]);
}

void ser_conflicts_visit(const ser_conflicts *conflicts,
                         void (*visit)(void *context, uint64_t token), void *context)
{
    const visitor to = {visit, context};
    for (size_t i = 0; i < conflicts->variables.count; i++)
        visit_cell(&to, &conflicts->variables.items[i]);
    for (size_t i = 0; i < conflicts->locks.count; i++) {
        visit_cell(&to, &conflicts->locks.items[i].released);
        visit_cell(&to, &conflicts->locks.items[i].held);
        visit_cell(&to, &conflicts->locks.items[i].tried);
    }
    visit_pool(&to, &conflicts->pool);
    for (size_t i = 0; i < conflicts->threads.count; i++)
        visit_thread(&to, &conflicts->threads.items[i]);
    for (size_t i = 0; i < conflicts->conditions.count; i++)
        for (size_t j = 0; j < conflicts->conditions.items[i].notifies.count; j++)
            visit(context, conflicts->conditions.items[i].notifies.items[j].token);
    for (size_t i = 0; i < conflicts->barriers.count; i++)
        visit_rounds(&to, &conflicts->barriers.items[i]);
    for (size_t i = 0; i < conflicts->semaphores.count; i++)
        for (size_t j = conflicts->semaphores.items[i].head;
             j < conflicts->semaphores.items[i].runs.count; j++)
            visit(context, conflicts->semaphores.items[i].runs.items[j].token);
}
