/* SPDX-License-Identifier: MIT */
#include "predict/states/visited.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 1024 };

void ser_visited_fini(ser_visited *visited)
{
    free(visited->slots);
    *visited = (ser_visited){0};
}

static bool is_empty(const ser_fingerprint *slot)
{
    return slot->low == 0 && slot->high == 0;
}

static ser_fingerprint *find(const ser_visited *visited, ser_fingerprint print)
{
    size_t at = print.low & (visited->capacity - 1);
    while (!is_empty(&visited->slots[at]) &&
           (visited->slots[at].low != print.low || visited->slots[at].high != print.high))
        at = (at + 1) & (visited->capacity - 1);
    return &visited->slots[at];
}

static bool is_full(const ser_visited *visited)
{
    return 3 * (visited->count + 1) > 2 * visited->capacity;
}

static size_t next_capacity(const ser_visited *visited)
{
    return visited->capacity ? 2 * visited->capacity : FIRST_CAPACITY;
}

static void grow(ser_visited *visited)
{
    ser_visited old = *visited;
    visited->capacity = next_capacity(&old);
    visited->slots = ser_alloc(visited->capacity, sizeof *visited->slots);
    for (size_t i = 0; i < old.capacity; i++)
        if (!is_empty(&old.slots[i]))
            *find(visited, old.slots[i]) = old.slots[i];
    free(old.slots);
}

bool ser_visited_add(ser_visited *visited, ser_fingerprint print)
{
    if (is_full(visited))
        grow(visited);
    if (is_empty(&print))
        print.high = 1;
    ser_fingerprint *slot = find(visited, print);
    if (!is_empty(slot))
        return false;
    *slot = print;
    visited->count++;
    return true;
}

size_t ser_visited_bytes(const ser_visited *visited)
{
    size_t capacity =
        is_full(visited) ? visited->capacity + next_capacity(visited) : visited->capacity;
    return capacity * sizeof *visited->slots;
}
