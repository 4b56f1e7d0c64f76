/* SPDX-License-Identifier: MIT */
/*
 * What an access means for the violation that is looked for, by each criterion. Main function:
 * ser_world_follow.
 */
#include "predict/states/world_internal.h"

static uint32_t path_bits(bool writes)
{
    return writes ? SER_PATH_READ | SER_PATH_WROTE : SER_PATH_WROTE;
}

static uint32_t block_bits(bool writes)
{
    return writes ? SER_BLOCK_READ | SER_BLOCK_WROTE : SER_BLOCK_WROTE;
}

bool ser_world_reaches(const ser_world *world, const ser_task_step *step, bool writes)
{
    return world->touched[step->variable] & (path_bits(writes) | block_bits(writes));
}

/* The path criterion: does the access close a path, or carry one on? */
static void follow_path(ser_world *world, const ser_task_step *step, bool writes)
{
    uint32_t touched = world->touched[step->variable];
    if (step->in_block) {
        if (touched & path_bits(writes))
            ser_world_set(world, &world->violated, 1);
        touched |= writes ? SER_BLOCK_WROTE : SER_BLOCK_READ;
    } else if (world->reached[step->thread] || world->reaching) {
        if (step->thread != world->task->block_thread) {
            ser_world_set_part(world, SER_PART_REACHED, world->reached, step->thread, 1);
            touched |= writes ? SER_PATH_WROTE : SER_PATH_READ;
        }
    }
    ser_world_set_part(world, SER_PART_TOUCHED, world->touched, step->variable, touched);
}

static void relate(ser_world *world, uint32_t from, uint32_t to)
{
    if (from == SER_TASK_NONE || from == to)
        return;
    size_t known = world->relation.added.count;
    ser_relation_add(&world->relation, from, to);
    for (; known < world->relation.added.count; known++)
        ser_world_toggle(world, SER_PART_RELATION, world->relation.added.items[known], 1);
}

static void add_reader(ser_world *world, uint32_t variable, uint32_t transaction)
{
    for (uint32_t at = world->read_by[variable]; at; at = world->readers.items[at - 1].next)
        if (world->readers.items[at - 1].transaction == transaction)
            return;
    ser_vector_push(&world->readers, ((ser_state_reader){transaction, world->read_by[variable]}));
    ser_world_set(world, &world->read_by[variable], (uint32_t)world->readers.count);
    ser_world_toggle(world, SER_PART_READER, (uint64_t)variable << 32 | transaction, 1);
}

static void pass_readers(ser_world *world, uint32_t variable, uint32_t writer)
{
    for (uint32_t at = world->read_by[variable]; at; at = world->readers.items[at - 1].next) {
        uint32_t reader = world->readers.items[at - 1].transaction;
        relate(world, reader, writer);
        ser_world_toggle(world, SER_PART_READER, (uint64_t)variable << 32 | reader, 1);
    }
    ser_world_set(world, &world->read_by[variable], 0);
}

/* The criterion of serializability: edges between transactions. */
static void follow_transactions(ser_world *world, uint32_t number, bool writes)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    uint32_t own = world->transaction[number];
    relate(world, world->last_transaction[step->thread], own);
    ser_world_set(world, &world->last_transaction[step->thread], own);
    relate(world, world->write_transaction[step->variable], own);
    if (writes) {
        pass_readers(world, step->variable, own);
        ser_world_set_part(world, SER_PART_WRITER, world->write_transaction, step->variable, own);
    } else {
        add_reader(world, step->variable, own);
    }
    uint32_t block = world->transaction[world->task->first_block_step];
    if (ser_relation_holds(&world->relation, block, block))
        ser_world_set(world, &world->violated, 1);
}

/* The criterion of triples: whatever happens in the wrong order never gets into the right one. With
 * values there is more to ask, once they are known (world_triples.c). */
static void follow_triple(ser_world *world, uint32_t number)
{
    const ser_search_triple *triple = &world->triple;
    if (number == triple->remote && !ser_world_has_happened(world, triple->from))
        ser_world_set(world, &world->lost, 1);
    if (number == triple->to && !ser_world_has_happened(world, triple->remote))
        ser_world_set(world, &world->lost, 1);
    else if (number == triple->to && !world->values)
        ser_world_set(world, &world->violated, 1);
}

void ser_world_follow(ser_world *world, uint32_t number, bool writes)
{
    if (world->criterion == SER_CRITERION_PATH)
        follow_path(world, ser_world_step_at(world, number), writes);
    else if (world->criterion == SER_CRITERION_TRIPLE)
        follow_triple(world, number);
    else
        follow_transactions(world, number, writes);
}
