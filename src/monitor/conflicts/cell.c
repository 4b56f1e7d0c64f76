/* SPDX-License-Identifier: MIT */
#include "monitor/conflicts/cell.h"

void ser_cell_pool_fini(ser_cell_pool *pool)
{
    for (size_t i = 0; i < pool->lists.count; i++)
        ser_vector_free(&pool->lists.items[i]);
    ser_vector_free(&pool->lists);
    ser_vector_free(&pool->unused);
}

uint32_t ser_cell_pool_take(ser_cell_pool *pool)
{
    if (pool->unused.count)
        return pool->unused.items[--pool->unused.count];
    ser_vector_extend(&pool->lists, pool->lists.count + 1);
    return (uint32_t)pool->lists.count - 1;
}

void ser_cell_pool_return(ser_cell_pool *pool, uint32_t number)
{
    pool->lists.items[number].count = 0;
    ser_vector_push(&pool->unused, number);
}

size_t ser_shared_list_find(const ser_shared_list *list, uint32_t thread)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ser_shared_list_insert(ser_shared_list *list, size_t at, ser_shared_access access)
{
    ser_vector_reserve(list, list->count + 1);
    memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof access);
    list->items[at] = access;
    list->count++;
}
