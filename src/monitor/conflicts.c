/* SPDX-License-Identifier: MIT */
#include "monitor/conflicts.h"

void ser_conflicts_fini(ser_conflicts *conflicts)
{
    for (size_t i = 0; i < conflicts->locks.count; i++)
        ser_vector_free(&conflicts->locks.items[i].failed_tries.runs);
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
