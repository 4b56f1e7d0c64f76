/* SPDX-License-Identifier: MIT */
/*
 * Three accesses in a world with values: neither of the two neighbouring pairs may be independent
 * by what it reads and writes (docs/algorithms/triples.md). What the variable held before and after
 * each of them is part of the state.
 */
#include "predict/states/world_internal.h"
#include "predict/states/world_values.h"

/* Of each access, in ser_world.triple_values: numbers of values, 0 where they are not known; and
 * whether it wrote. */
enum { BEFORE, AFTER, WROTE, FACTS };

enum { FROM, REMOTE, TO };

static uint32_t fact(const ser_world *world, size_t access, size_t which)
{
    return world->triple_values[access * FACTS + which];
}

static uint32_t step_of(const ser_world *world, size_t access)
{
    const ser_search_triple *triple = &world->triple;
    return access == FROM ? triple->from : access == REMOTE ? triple->remote : triple->to;
}

static bool reads(const ser_world *world, size_t access)
{
    return ser_world_step_at(world, step_of(world, access))->access != SER_ACCESS_WRITE;
}

static bool are_same(uint32_t one, uint32_t other)
{
    return one && one == other;
}

/* Would the two, in the other order, read or leave behind something else? */
static bool is_dependent(const ser_world *world, size_t first, size_t second)
{
    uint32_t before = fact(world, first, BEFORE), after = fact(world, first, AFTER);
    uint32_t later = fact(world, second, AFTER);
    bool writes = fact(world, first, WROTE), overwrites = fact(world, second, WROTE);
    return (reads(world, first) && overwrites && !are_same(before, later)) ||
           (writes && reads(world, second) && !are_same(before, after)) ||
           (writes && overwrites && !are_same(after, later));
}

static bool is_violated(const ser_world *world)
{
    bool is_pattern =
        fact(world, REMOTE, WROTE) || (fact(world, FROM, WROTE) && fact(world, TO, WROTE));
    return is_pattern && is_dependent(world, FROM, REMOTE) && is_dependent(world, REMOTE, TO);
}

void ser_world_follow_triple(ser_world *world, uint32_t number, bool writes, uint32_t before)
{
    size_t access = FROM;
    while (access <= TO && step_of(world, access) != number)
        access++;
    if (access > TO || world->lost)
        return;
    uint32_t after = ser_world_number_held(world, ser_world_step_at(world, number)->variable);
    const uint32_t facts[] = {before, writes ? after : before, writes};
    for (size_t i = 0; i < FACTS; i++)
        ser_world_set_part(world, SER_PART_TRIPLE, world->triple_values, access * FACTS + i,
                           facts[i]);
    if (access == TO)
        ser_world_set(world, is_violated(world) ? &world->violated : &world->lost, 1);
}
