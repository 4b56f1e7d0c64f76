/* SPDX-License-Identifier: MIT */
/*
 * world_internal.h - what the parts of world.c share: changes of a state that can be undone, and
 * its fingerprint.
 */
#ifndef SER_PREDICT_STATES_WORLD_INTERNAL_H
#define SER_PREDICT_STATES_WORLD_INTERNAL_H

#include "predict/states/world.h"

/* Parts of a state that the fingerprint is made of. */
typedef enum ser_world_part {
    SER_PART_POSITION,
    SER_PART_STOPPED,
    SER_PART_REACHED,
    SER_PART_WRITE,
    SER_PART_TOUCHED,
    SER_PART_WRITER,
    SER_PART_READER,
    SER_PART_RELATION,
    SER_PART_LIMIT,
    SER_PART_CHANGED,
    SER_PART_SPOILED,
    SER_PART_HELD, /* these three: of values (world_values.h) */
    SER_PART_ALTERED,
    SER_PART_ALTERS,
    SER_PART_TRIPLE, /* world_triples.c */
} ser_world_part;

enum { SER_WORLD_PARTS = 16 }; /* at most */

static inline uint64_t ser_world_mix(uint64_t word)
{
    word ^= word >> 32;
    word *= UINT64_C(0x9fb21c651e98df25);
    word ^= word >> 29;
    word *= UINT64_C(0xd6e8feb86659fd93);
    return word ^ word >> 32;
}

/* Adds a part with a value to the fingerprint, or takes it away. */
static inline void ser_world_toggle(ser_world *world, ser_world_part kind, uint64_t index,
                                    uint32_t value)
{
    uint64_t word = ser_world_mix(index * SER_WORLD_PARTS + kind + 1) ^ value;
    world->print.low ^= ser_world_mix(word);
    world->print.high ^= ser_world_mix(~word * UINT64_C(0xa0761d6478bd642f));
}

static inline void ser_world_set(ser_world *world, uint32_t *place, uint32_t value)
{
    if (*place == value)
        return;
    ser_vector_push(&world->changes, ((ser_world_change){place, *place}));
    *place = value;
}

static inline void ser_world_set_part(ser_world *world, ser_world_part kind, uint32_t *array,
                                      uint64_t index, uint32_t value)
{
    if (array[index] == value)
        return;
    ser_world_toggle(world, kind, index, array[index]);
    ser_world_toggle(world, kind, index, value);
    ser_world_set(world, &array[index], value);
}

static inline const ser_task_step *ser_world_step_at(const ser_world *world, uint32_t step)
{
    return &world->task->steps.items[step];
}

static inline bool ser_world_has_happened(const ser_world *world, uint32_t step)
{
    uint32_t thread = ser_world_step_at(world, step)->thread;
    return step < world->task->threads.items[thread].first + world->position[thread];
}

/* world_criteria.c: an access happens; does it violate the block, or make that impossible? */
void ser_world_follow(ser_world *world, uint32_t number, bool writes);

/* world_triples.c, in a world with values: an access has happened. `before`: the number of what its
 * variable held. */
void ser_world_follow_triple(ser_world *world, uint32_t number, bool writes, uint32_t before);

/* Does an access conflict with one of the block, or of a path from it, that happened before? */
bool ser_world_reaches(const ser_world *world, const ser_task_step *step, bool writes);

#endif
